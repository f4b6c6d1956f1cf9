"""The contract of schemas/README.md, in Python: schemas from the registry, frames, record keys, headers."""

import io
import json
import struct
import urllib.parse
import urllib.request
from datetime import datetime, timezone

import fastavro

NAMESPACE = "holdfast.v1"


def without_logical_types(schema):
    """As plain numbers: a time in ms may lie beyond the last year that a datetime has."""
    if isinstance(schema, dict):
        return {name: without_logical_types(part) for name, part in schema.items() if name != "logicalType"}
    if isinstance(schema, list):
        return [without_logical_types(part) for part in schema]
    return schema


def parse(text):
    return fastavro.parse_schema(without_logical_types(json.loads(text)))


class Registry:
    """The two questions that producers and consumers put to a registry."""

    def __init__(self, url):
        self.url = url
        self.by_id = {}
        self.by_subject = {}

    def latest(self, topic, record):
        """The ID and schema under which a record is written to a topic."""
        subject = f"{topic}-{NAMESPACE}.{record}"
        if subject not in self.by_subject:
            found = self._get(f"/subjects/{urllib.parse.quote(subject, safe='')}/versions/latest")
            self.by_subject[subject] = (found["id"], parse(found["schema"]))
        return self.by_subject[subject]

    def schema(self, schema_id):
        if schema_id not in self.by_id:
            self.by_id[schema_id] = parse(self._get(f"/schemas/ids/{schema_id}")["schema"])
        return self.by_id[schema_id]

    def _get(self, path):
        with urllib.request.urlopen(f"{self.url}{path}", timeout=30) as answer:
            return json.load(answer)


def frame(schema_id, schema, value):
    """A zero byte, the schema's ID in four bytes (big endian), the Avro value."""
    out = io.BytesIO()
    out.write(struct.pack(">bI", 0, schema_id))
    fastavro.schemaless_writer(out, schema, value)
    return out.getvalue()


def unframe(registry, data):
    """The short name of the record in a frame, and its value."""
    magic, schema_id = struct.unpack(">bI", data[:5])
    if magic != 0:
        raise ValueError(f"the first byte is {magic}")
    schema = registry.schema(schema_id)
    rest = io.BytesIO(data[5:])
    value = fastavro.schemaless_reader(rest, schema)
    if rest.read(1):
        raise ValueError("bytes follow the record")
    return schema["name"].rsplit(".", 1)[1], value


def record_key(tenant, correlation_id):
    tenant = tenant or ""
    return f"{len(tenant.encode())}:{tenant}{correlation_id}".encode()


def key_of(record, value):
    """Of a unit its record key; of what names none the agent, or the record's name."""
    if value.get("correlationId") is not None:
        return record_key(value["tenant"], value["correlationId"])
    agent_id = value.get("agentId")
    return (record if agent_id is None else agent_id).encode()


def headers_of(record, event_id, source):
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return [
        ("ce_specversion", b"1.0"),
        ("ce_id", event_id.encode()),
        ("ce_source", source.encode()),
        ("ce_type", f"{NAMESPACE}.{record}".encode()),
        ("ce_time", now.encode()),
        ("content-type", b"application/avro"),
    ]


def values_in(lines, schema):
    """Values from lines of Avro's JSON encoding."""
    return fastavro.json_reader(lines, schema)


def json_of(schema, value):
    """A value as Avro's JSON encoding."""
    out = io.StringIO()
    fastavro.json_writer(out, schema, [value])
    return json.loads(out.getvalue())
