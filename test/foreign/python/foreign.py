"""
A producer and a consumer that know nothing of Holdfast but schemas/README.md. Every command prints one JSON object a line.

  foreign.py versions
  foreign.py golden DIRECTORY SCHEMAS          encodes and decodes the golden frames
  foreign.py produce KAFKA PLAN [PARTITIONER]  writes the plan's values; PARTITIONER as librdkafka names it, or "default"
  foreign.py compare KAFKA PLAN                reads the plan's topics and compares whole values
  foreign.py read KAFKA TOPIC                  reads a topic to its end, committed records only

KAFKA is {"brokers", "registry"} as JSON; PLAN a file: {"source", "batches": [{"topic", "record", "prefix", "values"}]}, where
`values` is a file of one value a line in Avro's JSON encoding, and the n-th has the event ID `prefix` + n.
"""

import io
import json
import sys
from pathlib import Path

import confluent_kafka
import fastavro
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition

from contract import Registry, frame, headers_of, json_of, key_of, parse, unframe, values_in

SHOWN = 5


def say(**data):
    print(json.dumps(data), flush=True)


def versions():
    say(
        python=sys.version.split()[0],
        confluent_kafka=confluent_kafka.version(),
        librdkafka=confluent_kafka.libversion()[0],
        fastavro=fastavro.__version__,
    )


def golden(directory, schemas):
    for file in sorted(Path(directory).glob("*.json")):
        held = json.loads(file.read_text(encoding="utf-8"))
        raw = Path(schemas, f"{held['record']}.avsc").read_text(encoding="utf-8")
        schema = parse(raw)
        canonical = fastavro.schema.to_parsing_canonical_form(json.loads(raw))
        fingerprint = fastavro.schema.fingerprint(canonical, "SHA-256")
        frames = []
        for example in held["frames"]:
            body = bytes.fromhex(example["frame"][len("00ssssssss") :])
            [value] = values_in(io.StringIO(json.dumps(example["value"])), schema)
            encoded = frame(0, schema, value)[5:]
            rest = io.BytesIO(body)
            decoded = fastavro.schemaless_reader(rest, schema)
            read = decoded == value and json_of(schema, decoded) == example["value"] and not rest.read()
            frames.append({"name": example["name"], "encoded": encoded == body, "decoded": read})
        say(record=held["record"], fingerprint=fingerprint == held["fingerprint"], frames=frames)


def events(registry, plan):
    """Every event of a plan: topic, record, event ID, schema ID, schema, value."""
    for batch in plan["batches"]:
        schema_id, schema = registry.latest(batch["topic"], batch["record"])
        with open(batch["values"], encoding="utf-8", newline="\n") as lines:
            for number, value in enumerate(values_in(lines, schema)):
                yield batch["topic"], batch["record"], f"{batch['prefix']}{number}", schema_id, schema, value


def produce(kafka, plan, partitioner="murmur2_random"):
    registry = Registry(kafka["registry"])
    config = {"bootstrap.servers": kafka["brokers"], "enable.idempotence": True, "compression.type": "gzip"}
    if partitioner != "default":
        config["partitioner"] = partitioner
    producer = Producer(config)
    failed = []
    written = 0

    def delivered(error, _):
        nonlocal written
        if error is None:
            written += 1
        else:
            failed.append(str(error))

    for topic, record, event_id, schema_id, schema, value in events(registry, plan):
        data = frame(schema_id, schema, value)
        headers = headers_of(record, event_id, plan["source"])
        while True:
            try:
                producer.produce(topic, data, key_of(record, value), headers=headers, on_delivery=delivered)
                break
            except BufferError:
                producer.poll(1)
        producer.poll(0)
    producer.flush()
    say(written=written, failed=failed[:SHOWN])


def committed(kafka, topics):
    """Every committed record of the topics, partition by partition up to its end."""
    ended = set()
    consumer = Consumer(
        {
            "bootstrap.servers": kafka["brokers"],
            "group.id": "foreign",
            "enable.auto.commit": False,
            "isolation.level": "read_committed",
            "enable.partition.eof": True,
        }
    )
    try:
        partitions = [
            TopicPartition(topic, partition, 0)
            for topic in topics
            for partition in consumer.list_topics(topic, timeout=30).topics[topic].partitions
        ]
        consumer.assign(partitions)
        while len(ended) < len(partitions):
            message = consumer.poll(30)
            if message is None:
                raise TimeoutError("the brokers give no records")
            if message.error() is None:
                yield message
            elif message.error().code() == KafkaError._PARTITION_EOF:
                ended.add((message.topic(), message.partition()))
            else:
                raise KafkaException(message.error())
    finally:
        consumer.close()


def compare(kafka, plan):
    registry = Registry(kafka["registry"])
    expected = {(topic, event_id): (record, value) for topic, record, event_id, _, _, value in events(registry, plan)}
    topics = sorted({batch["topic"] for batch in plan["batches"]})
    equal = {}
    differing = []
    for message in committed(kafka, topics):
        headers = dict(message.headers() or [])
        if headers.get("ce_source", b"").decode() != plan["source"]:
            continue
        at = (message.topic(), headers["ce_id"].decode())
        record, value = expected.pop(at, (None, None))
        read = unframe(registry, message.value())
        event_type = headers["ce_type"].decode()
        if (record, value) == read and event_type == f"holdfast.v1.{record}" and key_of(*read) == message.key():
            equal[record] = equal.get(record, 0) + 1
        else:
            differing.append({"at": at, "read": repr(read), "expected": repr((record, value))})
    say(equal=equal, differing=differing[:SHOWN], missing=len(expected))


def read(kafka, topic):
    registry = Registry(kafka["registry"])
    for message in committed(kafka, [topic]):
        record, value = unframe(registry, message.value())
        _, schema = registry.latest(topic, record)
        say(
            partition=message.partition(),
            offset=message.offset(),
            key=None if message.key() is None else message.key().decode(),
            headers={name: data.decode() for name, data in message.headers() or []},
            record=record,
            value=json_of(schema, value),
        )


def main(command, *arguments):
    if command == "versions":
        versions()
    elif command == "golden":
        golden(*arguments)
    else:
        kafka, target, *more = arguments
        work = {"produce": produce, "compare": compare, "read": read}[command]
        if command != "read":
            target = json.loads(Path(target).read_text(encoding="utf-8"))
        work(json.loads(kafka), target, *more)


if __name__ == "__main__":
    main(*sys.argv[1:])
