import HealthIntake
import HealthStorage

/// The answer to a stored request: the fields that the format's app expects, and the receipt.
struct IntakeAnswer {
    var status: Int
    var json: JSONText

    /// - Parameters:
    ///   - settled: The receipt, and the sender's position.
    ///   - dialect: The format of the request.
    ///   - headers: The header fields of the request.
    ///   - user: The user in the request's path; empty for none.
    init(
        _ settled: SettledDelivery, _ dialect: IntakeDialect, _ headers: IntakeHeaders,
        user: String
    ) {
        let receipt = settled.receipt
        status = dialect.storedStatus
        var members = IntakeAnswer.members(receipt)
        switch dialect {
        case .healthAutoExport: break
        case .changes: members.insert(("cursor", .text(settled.cursor)), at: 1)
        case .openWearables:
            members =
                [
                    ("status_code", .integer(status)), ("response", .string("Stored")),
                    ("user_id", .string(user)),
                ] + members
        case .openHealthExporter:
            members =
                [
                    ("spec", .string("ohe.wire/1")), ("batchId", .text(headers["Idempotency-Key"])),
                    ("rejects", .array(IntakeAnswer.rejects(receipt))),
                ] + members
        case .healthSave:
            let units = receipt.records.filter { $0.reason == "unit" }
            if !units.isEmpty {
                status = 422
                members.append(("detail", .array(units.map(IntakeAnswer.detail))))
            }
            members = IntakeAnswer.healthSave(receipt, headers) + members
        }
        if !receipt.completions.isEmpty {
            let completions = receipt.completions.map(IntakeAnswer.completion)
            members.append(("completions", .array(completions)))
        }
        json = .object(members)
    }

    private static func completion(_ completion: IntakeReceipt.Completion) -> JSONText {
        .object([
            ("type", .string(completion.type)), ("exported", .integer(completion.exported)),
            ("taken_over", .integer(completion.takenOver)),
            ("unmatched", .integer(completion.unmatched)),
        ])
    }

    /// The fields of every receipt. The counts add up to `received`.
    private static func members(_ receipt: IntakeReceipt) -> [(String, JSONText)] {
        let listed = receipt.records.map { record in
            JSONText.object([
                ("index", .integer(record.index)), ("id", .text(record.id)),
                ("result", .string(record.result.rawValue)), ("reason", .text(record.reason)),
                ("field", .text(record.field)),
            ])
        }
        let notable = [.rejected, .unknown, .changed].reduce(0) { $0 + receipt.count($1) }
        return [
            ("receipt", receipt.number == 0 ? .null : .string(receipt.identifier)),
            ("received", .integer(receipt.received)),
            ("accepted", .integer(receipt.count(.accepted))),
            ("duplicate", .integer(receipt.count(.duplicate))),
            ("changed", .integer(receipt.count(.changed))),
            ("deleted", .integer(receipt.count(.deleted))),
            ("rejected", .integer(receipt.count(.rejected))),
            ("totals", .integer(receipt.count(.total))),
            ("provisional", .integer(receipt.count(.provisional))),
            ("unknown", .integer(receipt.count(.unknown))), ("records", .array(listed)),
            // Rejected, changed and unknown records that the list has no room for.
            ("records_omitted", .integer(max(0, notable - listed.count))),
        ]
    }

    private static func rejects(_ receipt: IntakeReceipt) -> [JSONText] {
        receipt.records.filter { $0.result == .rejected }.map { record in
            .object([
                ("index", .integer(record.index)), ("uuid", .text(record.id)),
                ("reason", .text(record.reason)), ("field", .text(record.field)),
            ])
        }
    }

    private static func healthSave(
        _ receipt: IntakeReceipt, _ headers: IntakeHeaders
    ) -> [(String, JSONText)] {
        let (first, last) = (
            headers["X-HealthSave-Sample-Min-Time"], headers["X-HealthSave-Sample-Max-Time"]
        )
        let stored = receipt.received - receipt.count(.rejected)
        let new = receipt.count(.accepted) + receipt.count(.provisional) + receipt.count(.changed)
        return [
            ("status", .string("ok")), ("receipt_id", .string(receipt.identifier)),
            ("sync_run_id", .text(headers["X-HealthSave-Sync-Run-ID"])),
            ("idempotency_key", .text(headers["Idempotency-Key"])),
            ("records_received", .integer(receipt.received)),
            ("records_accepted", .integer(stored)), ("records_inserted_new", .integer(new)),
            ("records_deduped_existing", .integer(receipt.count(.duplicate))),
            ("storage_result_level", .string("stored")),
            (
                "sample_window",
                first == nil && last == nil
                    ? .null : .object([("start", .text(first)), ("end", .text(last))])
            ),
            ("latest_sample_time", .text(last)),
            ("verification_level", .string("delivery_receipt")), ("inserted", .integer(new)),
            ("skipped", .integer(receipt.count(.duplicate))),
        ]
    }

    private static func detail(_ record: IntakeReceipt.Record) -> JSONText {
        .object([
            ("loc", .array([.string("body"), .string("samples"), .integer(record.index)])),
            ("msg", .string("The unit is unknown or doesn’t fit the metric.")),
            ("type", .string("unit")),
        ])
    }
}

extension IntakeRefusal {
    /// The refusal as JSON. Servers of the supported apps have their sentence in `detail`.
    var json: JSONText {
        let members: [(String, JSONText)] = [
            ("error", .string(reason)), ("detail", .string(sentence)),
            ("status_code", .integer(status)),
        ]
        return .object(reason == "cursor" ? members + [("cursor", .text(cursor))] : members)
    }
}
