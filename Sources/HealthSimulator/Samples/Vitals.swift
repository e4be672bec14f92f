internal import Foundation
internal import HealthEngine

extension Simulation {
    /// Records one resting heart rate on a day on which the Watch is worn for more than 30,000
    /// seconds.
    func recordRestingHeartRate(_ plan: DayPlan, into builder: inout BatchBuilder) {
        guard plan.wornSeconds > 30_000 else { return }
        var random = SeededGenerator(seed: person.seed, stream: .vitals, day: plan.day)
        let origin = builder.origin(origin(.watch, unit: "count/min", on: plan.day))
        let rate = (restingHeartRate(plan.day) + 2 * random.normal()).rounded()
        builder.add(
            SimulatedType.restingHeartRate.code, origin, plan.hours.wake..<plan.hours.bed,
            value: rate, delay: 120)
    }

    /// Records blood oxygen as a fraction, at most six times while the Watch is worn.
    func recordOxygen(_ plan: DayPlan, into builder: inout BatchBuilder) {
        var random = SeededGenerator(seed: person.seed &+ 1, stream: .vitals, day: plan.day)
        let readings = Int(clamping: (Double(random.integer(2...6)) * detail).rounded())
        guard readings > 0, !plan.worn.isEmpty else { return }
        let origin = builder.origin(origin(.watch, unit: "%", on: plan.day))
        for part in WornIntervals(plan.worn, count: readings) {
            let at = part.at(random.unit())
            let percent = min(100, max(90, (97 + 1.3 * random.normal()).rounded()))
            builder.add(
                SimulatedType.oxygenSaturation.code, origin, at..<(at + 15),
                value: percent / 100, delay: syncDelay(.watch, at))
        }
    }

    /// Records heart-rate variability in milliseconds with its heartbeats, at most four times while
    /// the Watch is worn.
    func recordVariability(_ plan: DayPlan, into builder: inout BatchBuilder) {
        var random = SeededGenerator(seed: person.seed, stream: .variability, day: plan.day)
        let readings = Int(clamping: (Double(random.integer(1...4)) * detail).rounded())
        guard readings > 0, !plan.worn.isEmpty else { return }
        let origin = builder.origin(origin(.watch, unit: "ms", on: plan.day))
        for part in WornIntervals(plan.worn, count: readings) {
            let at = part.at(random.unit())
            let variability = max(12, 46 + 14 * random.normal()).rounded(to: 10_000)
            builder.add(
                SimulatedType.heartRateVariability.code, origin, at..<(at + 59),
                value: variability, delay: syncDelay(.watch, at),
                detail: .heartbeats(heartbeats(from: at, on: plan, &random)))
        }
    }

    /// Returns the beats of 58 seconds, each with its local time in the format of an en_US phone.
    private func heartbeats(from start: Int, on plan: DayPlan, _ random: inout SeededGenerator)
        -> [Heartbeat]
    {
        let offset = plan.zone.secondsFromGMT(
            for: Date(timeIntervalSinceReferenceDate: Double(start)))
        let resting = restingHeartRate(plan.day) + 6
        var beats: [Heartbeat] = []
        var hundredths = random.integer(20...95)
        while hundredths < 5_800 {
            let bpm = (resting + 3 * random.normal()).rounded()
            let second = start + hundredths / 100
            beats.append(
                Heartbeat(
                    bpm: bpm, time: Self.clock(second + offset, hundredths: hundredths % 100),
                    offset: Double(hundredths) / 100))
            // Some beats are missing.
            hundredths += Int(clamping: 6_000 / bpm) * (random.chance(0.06) ? 3 : 1)
        }
        return beats
    }

    /// Formats a local time as "6:14:48.94 PM", with U+202F before AM or PM.
    static func clock(_ localSecond: Int, hundredths: Int) -> String {
        let second = ((localSecond % 86_400) + 86_400) % 86_400
        let hour = second / 3600
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\((hour + 11) % 12 + 1):\(two(second / 60 % 60)):\(two(second % 60))."
            + "\(two(hundredths))\u{202F}\(hour < 12 ? "AM" : "PM")"
    }

    /// Records headphone audio levels, which fill the data of a person without a Watch up to the
    /// requested number of records.
    func recordAudio(_ plan: DayPlan, into builder: inout BatchBuilder) {
        let count = Quotas.evenPart(quotas.audio, on: plan.day, of: calendar.count)
        guard count > 0 else { return }
        var random = SeededGenerator(seed: person.seed, stream: .audio, day: plan.day)
        let origin = builder.origin(origin(.phone, unit: "dBASPL", on: plan.day))
        for part in WornIntervals([plan.hours.wake..<plan.hours.bed], count: count) {
            builder.add(
                SimulatedType.headphoneAudioExposure.code, origin, part.range,
                value: (66 + 6 * random.normal()).rounded(to: 1000))
        }
    }
}
