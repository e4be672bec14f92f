import Foundation
import HealthSync
import OpenHealthKit

// Performs the actions of the app in a schedule.
extension TortureRun {
    func act(_ action: AppAction) async {
        guard await open() != nil else { return }
        switch action.kind {
        case .sync: await work { try await $0.sync() }
        case .recover: await work { try await $0.recover() }
        case .reconcile: await work { try await $0.reconcile() }
        case .relaunch: await close()
        case .untrack:
            guard tracked.count > 1 else { return }
            setTracked(tracked.filter { $0 != action.type })
            await work { await $0.untrack(action.type) }
        case .track:
            guard schedule.settings.types.contains(action.type), !tracked.contains(action.type)
            else { return }
            setTracked(tracked + [action.type])
            await work { await $0.track(action.type) }
        case .log: await log(action.number)
        case .edit: await edit(action.number)
        case .remove: await remove(action.number)
        case .attach: await attach(to: action.number)
        }
        _ = await show()
    }

    private func log(_ number: Int) async {
        let date = world.date(ofWeight: number)
        guard weights[number] == nil else { return }
        let phone = world.phones
        weights[number] = OwnWeight(requested: world.moment, phone: phone)
        let weight = ClientWeight(
            date: date, kilograms: ScheduledWorld.kilograms(ofWeight: number, version: 1))
        _ = probe.takeReached()
        let result = await work { try await $0.log(weight) }
        note(result, of: number, version: 1, phone)
    }

    private func edit(_ number: Int) async {
        guard weights[number]?.isRemoved == false,
            let entry = await show().first(where: { isOwn($0, number) })
        else { return }
        weights[number]?.versions += 1
        weights[number]?.requested = world.moment
        let phone = world.phones
        let version = weights[number]?.versions ?? 1
        let weight = ClientWeight(
            date: entry.start,
            kilograms: ScheduledWorld.kilograms(ofWeight: number, version: version))
        _ = probe.takeReached()
        let result = await work { try await $0.edit(entry.id, to: weight) }
        note(result, of: number, version: version, phone)
    }

    private func note(
        _ result: ClientResult?, of number: Int, version: Int, _ phone: Int
    ) {
        let reached = probe.takeReached()
        weights[number]?.completed = world.moment
        switch result {
        case .acknowledged:
            weights[number]?.acknowledged = version
            weights[number]?.phone = phone
        case .refused: if version == 1 { weights[number]?.isRefused = true }
        case .pending: weights[number]?.isJournalled = true
        case nil:
            if version == 1, reached.contains(.writeJournalled) {
                weights[number]?.isJournalled = true
            }
        }
    }

    private func remove(_ number: Int) async {
        guard weights[number] != nil,
            let entry = await show().first(where: { isOwn($0, number) })
        else { return }
        // Set before the removal, because the person requested it even if it fails.
        weights[number]?.isRemoved = true
        weights[number]?.requested = world.moment
        _ = await work { try await $0.remove(entry.id) }
    }

    private func attach(to number: Int) async {
        guard let entry = await show().first(where: { $0.number == number }) else { return }
        let text = "note \(notes.count + 1) on sample \(number)"
        let result = await work { try await $0.attach(text, to: entry.id) }
        if result == .acknowledged { notes[text] = TortureNote(entry: entry.id, number: number) }
    }

    private func isOwn(_ entry: ClientEntry, _ number: Int) -> Bool {
        entry.number == number
            && entry.bundleIdentifier == ScheduledWriter.app.identity.bundleIdentifier
    }
}

extension ClientEntry {
    /// The number of the sample in its schedule, decoded from ``start``.
    var number: Int { ScheduledWorld.number(of: start) }
}
