"""The tools as the client of the Python package `mcp` sees them: python3 client.py COMMAND STORE

Each answer is validated against the output schema of its tool, and each schema as a schema.
"""
import asyncio
import json
import sys

import jsonschema
from mcp import Client, StdioServerParameters
from mcp_types import methods

from connection import LEGACY, MODERN, Connection

COMMAND, STORE = sys.argv[1:3]
CALLS = [
    ("summary", {}), ("summary", {"period": "2024-03"}), ("total", {"type": "stepCount"}),
    ("total", {"type": "steps", "period": "2024"}), ("total", {"type": "weight", "period": "all"}),
    ("total", {"type": "standHours", "period": "all"}), ("series", {"type": "steps"}),
    ("series", {"type": "heartRate", "period": "all", "by": "month"}),
    ("compare", {"type": "steps", "period": "2024-03", "with": "2024-02"}),
    ("compare", {"type": "heartRate"}), ("records", {"type": "steps"}),
    ("records", {"type": "bodyMass", "order": "smallest", "by": "week"}),
    ("explain", {"type": "steps", "day": "2024-03-10"}), ("explain", {"type": "steps"}),
    ("sleep", {"period": "all"}), ("sleep", {"period": "all", "by": "week"}),
    ("workouts", {"period": "all"}), ("sources", {}), ("sources", {"type": "steps"}),
    ("data_quality", {}), ("types", {}), ("types", {"search": "heart"}),
    ("samples", {"type": "steps", "period": "all"}),
    ("samples", {"type": "sleep", "period": "all", "limit": 3}),
]


async def session(mode, version):
    server = StdioServerParameters(command=COMMAND, args=["mcp", "--store", STORE])
    async with Client(server, mode=mode) as client:
        assert client.protocol_version == version, (mode, client.protocol_version)
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {name for name, _ in CALLS}, sorted(tools)
        for tool in tools.values():
            assert tool.title and tool.description
            assert tool.annotations.read_only_hint and tool.annotations.open_world_hint is False
            for schema in [tool.input_schema, tool.output_schema]:
                jsonschema.Draft202012Validator.check_schema(schema)
                assert schema["type"] == "object"
        for name, arguments in CALLS:
            result = await client.call_tool(name, arguments)
            assert not result.is_error, (name, arguments, result.content)
            jsonschema.Draft202012Validator(tools[name].output_schema).validate(
                result.structured_content)
            jsonschema.Draft202012Validator(tools[name].input_schema).validate(arguments)
            assert json.loads(result.content[0].text) == result.structured_content
        refused = await client.call_tool("total", {"type": "nonsense"})
        assert refused.is_error
        resources = (await client.list_resources()).resources
        for resource in resources:
            contents = (await client.read_resource(resource.uri)).contents
            assert json.loads(contents[0].text)
        assert len(resources) == 2


def wire(version):
    """Each result, as the models that were generated from the schema of the version read it."""
    link = Connection(COMMAND, STORE)
    requests = [("tools/list", {}), ("resources/list", {}), ("resources/templates/list", {}),
                ("resources/read", {"uri": "health://types"})]
    requests += [("tools/call", {"name": name, "arguments": arguments})
                 for name, arguments in CALLS + [("total", {}), ("total", {"type": "nonsense"})]]
    if version == MODERN:
        ask = link.modern
        requests.append(("server/discover", {}))
    else:
        ask = link.request
        methods.validate_server_result("initialize", version, link.initialize(version))
        requests.append(("ping", {}))
    for method, params in requests:
        result = ask(method, params)["result"]
        methods.validate_server_result(method, version, result)
        # The models see what is missing, except where a version permits a second form.
        if version == MODERN and method in ["tools/call", "resources/read"]:
            continue
        required = {"tools", "resources", "resourceTemplates", "contents", "content"}
        for member in (required | ({"ttlMs"} if version == MODERN else set())) & set(result):
            try:
                methods.validate_server_result(
                    method, version, {key: value for key, value in result.items() if key != member})
            except ValueError:
                continue
            raise AssertionError((method, version, member))
    assert link.end() == 0


for version in LEGACY + [MODERN]:
    wire(version)
for mode, version in [("auto", "2026-07-28"), ("2026-07-28", "2026-07-28"),
                      ("legacy", "2025-11-25")]:
    asyncio.run(session(mode, version))
print("ok")
