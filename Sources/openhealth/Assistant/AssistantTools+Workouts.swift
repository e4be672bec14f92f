import HealthAssistant
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

// Workouts.
extension AssistantTools {
    var workouts: AssistantTool {
        AssistantTool(
            "workouts", title: "Workouts",
            "The workouts of a period, newest first, and the totals of each activity. Durations "
                + "are in seconds without pauses, energy in kcal, distances in km, pace in seconds a "
                + "km.",
            parameters: [
                .optional("period", .text(AssistantWords.period + " Default: 30d.")),
                .optional("activity", .text("A part of an activity's name, such as running.")),
                .optional("cursor", .text(AssistantWords.cursor)),
            ],
            result: .object(
                [
                    .required("timeZone", .text()), .required("period", AssistantPeriod.schema),
                    .required("units", .text()),
                    .required("value", .integer(nil, "The number of workouts.")),
                    .required(
                        "activities", .array(of: .object(Self.totalProperties), "The largest 10.")),
                    .optional("reason", .text("Why there are none.")),
                    .optional("notes", .array(of: .text())),
                ] + PagedAnswer.properties("workouts", of: .object(Self.workoutProperties))),
            reading { try $0.workouts() })
    }

    private static let totalProperties: [Schema.Property] = [
        .required("activity", .text()), .required("workouts", .integer()),
        .required("duration", Schema.number().orNull),
        .required("energy", Schema.number("null if not recorded.").orNull),
        .required("distance", Schema.number("null if not recorded.").orNull),
    ]

    private static let workoutProperties: [Schema.Property] = [
        .required("start", .text()), .required("activity", .text()),
        .required("duration", Schema.number().orNull), .required("energy", Schema.number().orNull),
        .required("distance", Schema.number().orNull), .optional("pace", .number()),
        .required("source", .text()),
    ]
}

extension AssistantQuestion {
    fileprivate func workouts() throws -> JSONText {
        _ = try tools.type(named: "workout", in: store)
        let period = try period(default: "30d")
        let wanted = arguments.text("activity")?.lowercased().filter { $0.isLetter } ?? ""
        let rows = try workoutRows(period).filter {
            wanted.isEmpty || $0.activity.lowercased().contains(wanted)
        }
        var head: [(key: String, value: JSONText)] = [
            ("timeZone", zone), ("period", period.json(today: today)),
            ("units", .string("duration s, energy kcal, distance km, pace s/km")),
            ("value", .integer(rows.count)), ("activities", totals(rows)),
        ]
        if rows.isEmpty {
            let what = wanted.isEmpty ? "no workout" : "no such workout"
            head.append(
                ("reason", .string("0 workouts: \(what) was recorded in this period.")))
        }
        var notes = limits(period)
        if scope.isAggregatedOnly {
            notes.append("This session reads only totals, so single workouts are not listed.")
        }
        if !notes.isEmpty { head.append(("notes", .array(notes.map { .string($0) }))) }
        // A cursor is the start of the last workout of the page before.
        let after = position.map { Double(bitPattern: UInt64(bitPattern: $0.0)) } ?? .infinity
        // A client can change the numbers of a cursor.
        let behind = min(Int(clamping: max(0, position?.1 ?? 0)), rows.count)
        let newest = scope.isAggregatedOnly ? [] : rows.reversed()
        let skipped = newest.firstIndex { $0.start < after } ?? newest.count
        let start = position == nil ? 0 : min(newest.count, skipped + behind)
        let rest = Array(newest.dropFirst(start))
        let answer = PagedAnswer(
            head: head, list: "workouts", rows: rest.map(row), skipped: start,
            noun: ("workout", "workouts"))
        return try answer.json { count in
            // Workouts with the same start are counted behind the last one with another start.
            let next = start + count
            let time = newest.indices.contains(next) ? newest[next].start : -.infinity
            let before = newest[..<min(next, newest.count)].lastIndex { $0.start > time }
            let bound = before.map { newest[$0].start } ?? .infinity
            let offset = next - (before.map { $0 + 1 } ?? 0)
            return cursor(Int64(bitPattern: bound.bitPattern), Int64(offset))
        }
    }

    /// Reads the workouts of a period as `workouts` does, without the points of their routes.
    private func workoutRows(_ period: AssistantPeriod) throws -> [WorkoutRow] {
        let times = period.times(calendar)
        let selection = ExportSelection(
            types: [try store.type(named: "workout")], from: times.from, to: times.to)
        let earliest = scope.earliest ?? -.infinity
        var rows: [WorkoutRow] = []
        try store.forEachExportedBatch(selection) { exported in
            for (index, sample) in exported.batch.samples.enumerated()
            where sample.start >= earliest {
                rows.append(WorkoutRow(exported, index))
            }
        }
        return rows.sorted { ($0.start, $0.uuid) < ($1.start, $1.uuid) }
    }

    private func totals(_ rows: [WorkoutRow]) -> JSONText {
        let groups = Dictionary(grouping: rows, by: \.activity)
        let largest = groups.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        return .array(
            largest.prefix(10).map { activity, rows in
                let energy = rows.compactMap(\.energy)
                let distance = rows.compactMap(\.distance)
                return .object([
                    "activity": .string(PrintableText.name(activity)),
                    "workouts": .integer(rows.count),
                    "duration": .number(rows.reduce(0) { $0 + $1.duration }),
                    "energy": .amount(energy.isEmpty ? nil : energy.reduce(0, +)),
                    "distance": .amount(distance.isEmpty ? nil : distance.reduce(0, +)),
                ])
            })
    }

    private func row(_ row: WorkoutRow) -> JSONText {
        let pace = row.distance.flatMap { $0 > 0 ? row.duration / $0 : nil }
        return .object([
            "start": .string(calendar.text(row.start)),
            "activity": .string(PrintableText.name(row.activity)),
            "duration": .number(row.duration), "energy": .amount(row.energy),
            "distance": .amount(row.distance),
            "pace": pace.flatMap { $0.isFinite ? .number($0) : nil },
            "source": .string(PrintableText.name(row.source.name)),
        ])
    }
}
