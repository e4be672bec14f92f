"""Checks an export of FHIR R4 with fhir.resources and by the text of the specification.

    validate.py FILE [BREAK]      FILE is a Bundle, or lines if it ends in .ndjson

Prints JSON: the number of resources, how often each check ran, the problems, and the values that
tests compare. BREAK is the name of an element that is removed from the first vital sign before
the checks, so that a test can see them fail.
"""

import importlib
import json
import re
import sys

import fhir.resources

# Releases up to 6.4 are R4; later ones have R4B, which has the same definitions of these resources.
R4 = "" if fhir.resources.__fhir_version__.startswith("4.0") else ".R4B"

ID = re.compile(r"^[A-Za-z0-9\-.]{1,64}$")
YEAR = r"([0-9]([0-9]([0-9][1-9]|[1-9]0)|[1-9]00)|[1-9]000)"
DATE_TIME = re.compile(
    "^" + YEAR + r"(-(0[1-9]|1[0-2])(-(0[1-9]|[1-2][0-9]|3[0-1])(T([01][0-9]|2[0-3]):[0-5][0-9]:"
    r"([0-5][0-9]|60)(\.[0-9]+)?(Z|(\+|-)((0[0-9]|1[0-3]):[0-5][0-9]|14:00)))?)?)?$")
CODE = re.compile(r"^[^\s]+(\s[^\s]+)*$")
UCUM = "http://unitsofmeasure.org"
LOINC = "http://loinc.org"
CATEGORY = "http://terminology.hl7.org/CodeSystem/observation-category"
PROFILES = "http://hl7.org/fhir/StructureDefinition/"

# https://hl7.org/fhir/R4/observation-vitalsigns.html: the fixed codes and units of each profile.
VITAL_SIGNS = {
    "resprate": (["9279-1"], ["/min"]),
    "heartrate": (["8867-4"], ["/min"]),
    "oxygensat": (["2708-6", "59408-5"], ["%"]),
    "bodytemp": (["8310-5"], ["Cel", "[degF]"]),
    "bodyheight": (["8302-2"], ["cm", "[in_i]"]),
    "bodyweight": (["29463-7"], ["g", "kg", "[lb_av]"]),
    "bmi": (["39156-5"], ["kg/m2"]),
    "bp": (["85354-9"], None),
}
BLOOD_PRESSURE = {"8480-6", "8462-4"}

# All UCUM codes that an export may have.
UNITS = set("""1 % kg g mg ug [lb_av] [oz_av] [stone_av] m cm mm km [in_i] [ft_i] [yd_i] [mi_i] L mL
dL [foz_us] [pt_us] [cup_us] [foz_br] [pt_br] kcal cal [Cal] J kJ W kW s ms min h d Cel [degF] K
kg/m2 mm[Hg] Pa kPa cm[H2O] atm [in_i'Hg] /min /s Hz m/s km/h [mi_i]/h L/min mL/kg/min kcal/kg/h mg/dL
mmol/L [IU] dB[SPL] S uS V mV uV lx rad deg [diop] [p'diop] mol""".split())

problems = []
checks = {}


def check(name, condition, what):
    checks[name] = checks.get(name, 0) + 1
    if not condition:
        problems.append(f"{name}: {what}")


def model(kind):
    module = importlib.import_module(f"fhir.resources{R4}.{kind.lower()}")
    return getattr(module, kind)


def parse(kind, value):
    cls = model(kind)
    return cls.model_validate(value) if hasattr(cls, "model_validate") else cls.parse_obj(value)


def read(path):
    text = open(path, encoding="utf-8").read()
    if path.endswith(".ndjson"):
        resources = [json.loads(line) for line in text.split("\n") if line]
        return resources, {f"{r['resourceType']}/{r['id']}": r for r in resources}
    bundle = json.loads(text)
    parse("Bundle", bundle)
    check("Bundle.type", bundle["type"] == "transaction", bundle["type"])
    for entry in bundle["entry"]:
        resource = entry["resource"]
        check("Bundle.entry.fullUrl", entry["fullUrl"] == "urn:uuid:" + resource["id"], entry["fullUrl"])
        url = f"{resource['resourceType']}/{resource['id']}"
        check("Bundle.entry.request", entry["request"] == {"method": "PUT", "url": url}, url)
    return [e["resource"] for e in bundle["entry"]], {
        e["fullUrl"]: e["resource"] for e in bundle["entry"]}


def walk(value, where, references):
    """Checks what holds for every element, and collects references."""
    if isinstance(value, dict):
        check("no empty object", len(value) > 0, where)
        if "reference" in value:
            references.append((where, value["reference"]))
        if value.get("system") == UCUM:
            check("UCUM in the closed list", value.get("code") in UNITS, f"{where} {value.get('code')}")
            check("Quantity.unit", bool(value.get("unit")), where)
        for key, part in value.items():
            if key == "code" and isinstance(part, str):
                check("code", CODE.match(part), f"{where} {part!r}")
            walk(part, f"{where}.{key}", references)
    elif isinstance(value, list):
        check("no empty list", len(value) > 0, where)
        for part in value:
            walk(part, where, references)
    else:
        check("no empty value", value is not None and (not isinstance(value, str) or value.strip()), where)


def codes(concept, system):
    return [c["code"] for c in concept.get("coding", []) if c.get("system") == system]


def is_vital(observation):
    return any("vital-signs" in codes(c, CATEGORY) for c in observation.get("category", []))


def check_quantity(name, holder, units, where):
    """A quantity with the fixed unit, or the reason why there is none."""
    quantity = holder.get("valueQuantity")
    absent = holder.get("dataAbsentReason")
    check(f"{name} or dataAbsentReason", (quantity is None) != (absent is None), where)
    if quantity is None:
        return
    for element in ["value", "unit", "system", "code"]:
        check(f"{name}.{element}", quantity.get(element) is not None, where)
    check(f"{name}.system is UCUM", quantity.get("system") == UCUM, where)
    if units:
        check(f"{name}.code is fixed", quantity.get("code") in units, f"{where} {quantity.get('code')}")


def check_vital(observation):
    where = "Observation/" + observation.get("id", "?")
    check("vital-signs.status", observation.get("status") in
          ["registered", "preliminary", "final", "amended", "corrected", "cancelled",
           "entered-in-error", "unknown"], where)
    check("vital-signs.category", is_vital(observation), where)
    check("vital-signs.code", len(observation.get("code", {}).get("coding", [])) > 0, where)
    check("vital-signs.subject", "reference" in observation.get("subject", {}), where)
    times = [observation.get("effectiveDateTime"), observation.get("effectivePeriod", {}).get("start")]
    check("vital-signs.effective[x]", sum(t is not None for t in times) == 1, where)
    found = codes(observation.get("code", {}), LOINC)
    profiles = [p[len(PROFILES):] for p in observation.get("meta", {}).get("profile", [])]
    for name, (fixed, units) in VITAL_SIGNS.items():
        if found and found[0] in fixed:
            check(f"{name}.meta.profile", name in profiles, where)
        if name not in profiles:
            continue
        for code in fixed:
            check(f"{name}.code {code}", code in found, where)
        if name == "bp":
            parts = {codes(c["code"], LOINC)[0]: c for c in observation.get("component", [])}
            for code in BLOOD_PRESSURE:
                check(f"bp.component {code}", code in parts, where)
                check_quantity("bp.component.valueQuantity", parts.get(code, {}), ["mm[Hg]"], where)
            check("bp has no value", "valueQuantity" not in observation, where)
        else:
            check_quantity(f"{name}.valueQuantity", observation, units, where)
    if not observation.get("component"):
        check_quantity("vital-signs.value[x]", observation, None, where)


def check_times(observation):
    where = "Observation/" + observation["id"]
    period = observation.get("effectivePeriod", {})
    for time in [observation.get("effectiveDateTime"), period.get("start"), period.get("end")]:
        if time is not None:
            check("dateTime", DATE_TIME.match(time), f"{where} {time}")
    check("effective[x]", ("effectivePeriod" in observation) != ("effectiveDateTime" in observation), where)


def check_sampled(observation):
    for component in observation.get("component", []):
        data = component.get("valueSampledData")
        if not data:
            continue
        values = data["data"].split(" ")
        check("SampledData.origin", data["origin"]["code"] == "uV", observation["id"])
        check("SampledData.period", data["period"] > 0 and data["dimensions"] == 1, observation["id"])
        check("SampledData.data", all(re.match(r"^(E|-?[0-9.]+)$", v) for v in values), observation["id"])
        electrocardiograms.append({"count": len(values), "first": values[0], "period": data["period"],
                                   "text": observation.get("interpretation", [{}])[0].get("text")})


electrocardiograms = []
totals, sleep, methods = {}, {}, {}
path = sys.argv[1]
resources, targets = read(path)
if len(sys.argv) > 2:
    element = sys.argv[2]
    first = next(r for r in resources if r["resourceType"] == "Observation" and is_vital(r)
                 and "valueQuantity" in r and "profile" in r.get("meta", {}))
    for name in list(first) if element == "effective" else [element]:
        if element != "effective" or name.startswith("effective"):
            first.pop(name, None)
    check_vital(first)
    print(json.dumps({"problems": problems}))
    sys.exit(0)

counts = {}
keys = set()
references = []
for resource in resources:
    kind = resource["resourceType"]
    counts[kind] = counts.get(kind, 0) + 1
    parse(kind, resource)
    check("id", ID.match(resource["id"]), resource["id"])
    check("distinct ids", (kind, resource["id"]) not in keys, resource["id"])
    keys.add((kind, resource["id"]))
    walk(resource, kind, references)
    if kind != "Observation":
        continue
    check_times(resource)
    check_sampled(resource)
    if is_vital(resource):
        check_vital(resource)
    else:
        loinc = codes(resource["code"], LOINC)
        check("vital signs have their category", not any(
            code in fixed for fixed, _ in VITAL_SIGNS.values() for code in loinc), resource["id"])
    method = [c["code"] for c in resource.get("method", {}).get("coding", [])]
    own = [c["code"] for c in resource["code"]["coding"] if c["system"].startswith("urn:x-")]
    methods["".join(method)] = methods.get("".join(method), 0) + 1
    if method in [["merged"], ["apple-total"]] and own[0].startswith("HKQuantity"):
        start = resource["effectivePeriod"]["start"]
        totals.setdefault(own[0], {})[start] = resource["valueQuantity"]["value"]
    if own == ["sleep-night"]:
        parts = {c["code"]["coding"][0]["code"]: c.get("valueQuantity", {}).get("value")
                 for c in resource["component"]}
        sleep[resource["note"][0]["text"][11:21]] = [resource.get("valueQuantity", {}).get("value"), parts]

provenance = {}
for resource in resources:
    if resource["resourceType"] == "Provenance":
        for target in resource["target"]:
            provenance[target["reference"]] = resource
        check("Provenance.agent", targets[resource["agent"][0]["who"]["reference"]]["deviceName"][0]
              ["name"] == "OpenHealthKit", resource["id"])
for reference, resource in targets.items():
    merged = [c["code"] for c in resource.get("method", {}).get("coding", [])] == ["merged"]
    if merged:
        check("merged values have a Provenance", reference in provenance, reference)
for where, reference in references:
    check("references resolve", reference in targets, f"{where} {reference}")
    kind = {"Observation.subject": "Patient", "Observation.device": "Device", "Device.patient": "Patient",
            "Device.parent": "Device", "Provenance.target": "Observation",
            "Provenance.agent.who": "Device", "Provenance.entity.what": "Device"}[where]
    check("references have the right type", targets.get(reference, {}).get("resourceType") == kind, where)

print(json.dumps({
    "version": fhir.resources.__fhir_version__ + R4, "counts": counts, "checks": checks,
    "problems": problems[:20], "problemCount": len(problems), "totals": totals, "sleep": sleep,
    "methods": methods, "electrocardiograms": electrocardiograms,
    "ids": sorted("/".join(k) for k in keys),
    "provenance": [
        [e["what"]["display"] for e in r.get("entity", [])] for r in provenance.values()],
    "observations": [r for r in resources if r["resourceType"] == "Observation"]
    if counts.get("Observation", 0) < 200 else [],
    "patient": next(r for r in resources if r["resourceType"] == "Patient"),
}))
