import HealthCalendar
import HealthStorage

/// The output of `hooks`: addresses and failures, without secrets.
struct HookList {
    var hooks: [Hook]
    var calendar: CalendarBuckets

    var json: JSONText {
        .object([
            "hooks": .array(
                hooks.map { hook in
                    .object([
                        "id": .string(hook.identifier),
                        "url": .string(hook.url),
                        "allowsPrivate": .bool(hook.allowsPrivateAddresses),
                        "created": .string(calendar.text(hook.createdAt)),
                        "accepted": .text(hook.acceptedAt.map(calendar.text)),
                        "failures": .integer(hook.failure?.count ?? 0),
                        "failingSince": .text(hook.failure.map { calendar.text($0.since) }),
                        "reason": .text(hook.failure?.reason),
                        "switchedOff": .text(hook.switchedOffAt.map(calendar.text)),
                    ])
                })
        ])
    }

    var text: String {
        guard !hooks.isEmpty else {
            return StoreOptions.completed(
                "No hooks yet. Add one with: openhealth hooks add https://…\n")
        }
        var table = Table([
            .text("id"), .text("address", maximumWidth: 40), .text("state", maximumWidth: 64),
        ])
        for hook in hooks { table.rows.append([hook.identifier, hook.url, state(hook)]) }
        return table.text
    }

    private func state(_ hook: Hook) -> String {
        if let time = hook.switchedOffAt {
            return "off since \(calendar.day(time)): \(hook.failure?.reason ?? "")"
        }
        if let failure = hook.failure {
            return "failing since \(calendar.day(failure.since)): \(failure.reason)"
        }
        return hook.acceptedAt.map { "last notice \(calendar.day($0))" } ?? "no notice yet"
    }
}
