"""observe.py BROKERS REGISTRY PREFIX CORRELATION_ID: writes one observation (confluent-kafka, fastavro)."""

import io
import json
import struct
import sys
import urllib.parse
import urllib.request
import uuid

import fastavro
from confluent_kafka import Producer

brokers, registry, prefix, correlation_id = sys.argv[1:]
topic, record = f"{prefix}a2a.task-events.v1", "holdfast.v1.DispatchObserved"
subject = urllib.parse.quote(f"{topic}-{record}", safe="")
with urllib.request.urlopen(f"{registry}/subjects/{subject}/versions/latest") as answer:
    registered = json.load(answer)

tenant = "acme"
value = {
    "tenant": tenant,
    "correlationId": correlation_id,
    "agentId": "billing-a",
    "by": "CLIENT",
    "messageId": "m-1",
    "inputKept": False,
    "continues": False,
}
data = io.BytesIO(struct.pack(">bI", 0, registered["id"]))
data.seek(0, io.SEEK_END)
fastavro.schemaless_writer(data, fastavro.parse_schema(json.loads(registered["schema"])), value)

failed = []
producer = Producer(
    {
        "bootstrap.servers": brokers,
        "partitioner": "murmur2_random",
        "enable.idempotence": True,
    }
)
producer.produce(
    topic,
    key=f"{len(tenant.encode())}:{tenant}{correlation_id}".encode(),
    value=data.getvalue(),
    headers={
        "ce_specversion": "1.0",
        "ce_id": str(uuid.uuid4()),
        "ce_source": "/billing/observer",
        "ce_type": record,
        "content-type": "application/avro",
    },
    on_delivery=lambda error, _: error and failed.append(error),
)
producer.flush()
sys.exit(f"not written: {failed[0]}" if failed else 0)
