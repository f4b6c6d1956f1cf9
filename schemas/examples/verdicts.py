"""verdicts.py BROKERS REGISTRY PREFIX: prints all verdicts so far, one a line (confluent-kafka, fastavro)."""

import io
import json
import struct
import sys
import urllib.request
from functools import cache

import fastavro
from confluent_kafka import Consumer, KafkaError, TopicPartition

brokers, registry, prefix = sys.argv[1:]
topic = f"{prefix}a2a.verdicts.v1"


@cache
def schema_of(schema_id):
    with urllib.request.urlopen(f"{registry}/schemas/ids/{schema_id}") as answer:
        return fastavro.parse_schema(as_numbers(json.loads(json.load(answer)["schema"])))


def as_numbers(schema):
    """Times as ms, not as datetime: they may lie beyond its last year."""
    if isinstance(schema, dict):
        return {name: as_numbers(part) for name, part in schema.items() if name != "logicalType"}
    return [as_numbers(part) for part in schema] if isinstance(schema, list) else schema


consumer = Consumer(
    {
        "bootstrap.servers": brokers,
        "group.id": "verdict-printer",
        "isolation.level": "read_committed",
        "enable.partition.eof": True,
        "enable.auto.commit": False,
    }
)
partitions = consumer.list_topics(topic).topics[topic].partitions
consumer.assign([TopicPartition(topic, partition, 0) for partition in partitions])
ended = 0
while ended < len(partitions):
    message = consumer.poll(10)
    if message is None:
        continue
    if message.error() is None:
        _, schema_id = struct.unpack(">bI", message.value()[:5])
        verdict = fastavro.schemaless_reader(io.BytesIO(message.value()[5:]), schema_of(schema_id))
        print(verdict["correlationId"], verdict["verdict"], verdict["reason"])
    elif message.error().code() == KafkaError._PARTITION_EOF:
        ended += 1
    else:
        sys.exit(str(message.error()))
consumer.close()
