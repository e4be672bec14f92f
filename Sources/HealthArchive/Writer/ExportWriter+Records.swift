internal import HealthEngine

extension ExportWriter {
    mutating func writeRecord(
        _ sample: Sample, _ type: SampleType, _ detail: SampleDetail?, indent: Int,
        _ fragments: inout ExportFragments
    ) {
        count("Record")
        text.append(indent == 1 ? " <Record" : "  <Record")
        text.attribute("type", type.identifier)
        writeProvenance(sample, &fragments)
        if let value = valueText(sample, type) {
            text.attribute("value", value)
        } else if sample.value.isFinite {
            text.attribute("value", sample.value)
        }
        // The name of an unknown value, which is stored as metadata, is written as the value again.
        let unknown = fragments.unknownValue(of: sample)
        if let unknown { text.attribute("value", unknown) }
        let entries =
            unknown == nil
            ? fragments.entries(sample.metadata)
            : fragments.entriesWithoutValue(sample.metadata)
        var beats: [Heartbeat]?
        if case .heartbeats(let list) = detail { beats = list }
        if entries.isEmpty && beats == nil {
            text.append("/>\n")
            return
        }
        text.append(">\n")
        text.append(entries)
        if let beats { write(beats) }
        text.append(indent == 1 ? " </Record>\n" : "  </Record>\n")
    }

    /// Returns the exported name of a category value; nil for other kinds of types, and if there is
    /// no value. Also nil if the catalogue has no name, which is counted; then the number is
    /// written.
    private mutating func valueText(_ sample: Sample, _ type: SampleType) -> String? {
        guard type.kind == .category, sample.value.isFinite, let raw = Int(exactly: sample.value)
        else { return nil }
        let enumeration = type.valueEnumeration ?? "HKCategoryValue"
        if let name = Catalogue.value(raw, of: enumeration)?.exportedName { return name }
        tally.unnamedValues += 1
        return nil
    }

    private mutating func write(_ beats: [Heartbeat]) {
        text.append("  <HeartRateVariabilityMetadataList>\n")
        for beat in beats {
            text.append("   <InstantaneousBeatsPerMinute")
            text.attribute("bpm", beat.bpm)
            text.attribute("time", beat.time)
            text.append("/>\n")
        }
        text.append("  </HeartRateVariabilityMetadataList>\n")
    }

    /// Appends source, device, unit and dates, in Apple's order. The creation date is left out if
    /// it is unknown or can't be written.
    mutating func writeProvenance(_ sample: Sample, _ fragments: inout ExportFragments) {
        let provenance = fragments.provenance(sample.origin)
        text.append(provenance.beforePointer)
        if let rest = provenance.afterPointer {
            text.append(devicePointer())
            text.append(rest)
        }
        text.append(provenance.unit)
        if ExportText.isWritable(sample.created) {
            text.attribute("creationDate", date: sample.created)
        }
        text.attribute("startDate", date: sample.start)
        text.attribute("endDate", date: sample.end)
    }

    /// Returns nine hexadecimal digits that change after every 64 records, like the memory
    /// addresses in Apple's files. Equal exports get equal digits.
    private func devicePointer() -> [UInt8] {
        var hash = UInt64(truncatingIfNeeded: (tally.elements["Record"] ?? 0) / 64)
        hash = (hash &+ 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
        hash ^= hash >> 29
        let address = 0x7_0000_0000 | (hash & 0xFFFF_FFF0)
        return Array(String(address, radix: 16).utf8)
    }

    mutating func writeCorrelation(
        _ sample: Sample, _ type: SampleType, members: [Int], in batch: SampleBatch,
        _ fragments: inout ExportFragments
    ) {
        count("Correlation")
        text.append(" <Correlation")
        text.attribute("type", type.identifier)
        writeProvenance(sample, &fragments)
        text.append(">\n")
        text.append(fragments.entries(sample.metadata))
        writeMembers(members, in: batch, &fragments)
        text.append(" </Correlation>\n")
    }

    mutating func write(_ summary: ActivitySummary) {
        count("ActivitySummary")
        text.append(" <ActivitySummary")
        text.attribute("dateComponents", summary.date)
        text.attribute("activeEnergyBurned", summary.activeEnergyBurned)
        text.attribute("activeEnergyBurnedGoal", summary.activeEnergyBurnedGoal)
        if let unit = summary.activeEnergyBurnedUnit {
            text.attribute("activeEnergyBurnedUnit", unit)
        }
        text.attribute("appleMoveTime", summary.appleMoveTime)
        text.attribute("appleMoveTimeGoal", summary.appleMoveTimeGoal)
        text.attribute("appleExerciseTime", summary.appleExerciseTime)
        text.attribute("appleExerciseTimeGoal", summary.appleExerciseTimeGoal)
        text.attribute("appleStandHours", summary.appleStandHours)
        text.attribute("appleStandHoursGoal", summary.appleStandHoursGoal)
        text.append("/>\n")
    }
}
