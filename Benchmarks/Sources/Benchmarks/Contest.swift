/// One side of a paired measurement.
struct Contestant {
    var name: String
    var program: Program
    /// Clears the ground before every run; not timed.
    var prepare: () throws -> Void = {}
    /// Judges every run's answer; not timed.
    var check: (ProcessRun) throws -> Void = { _ in }
}

/// Programs that ran in turns, so that what slowed one of a round slowed the others.
struct Contest {
    private(set) var runs: [String: [ProcessRun]] = [:]
    private let order: [String]

    /// Runs all once for warmth and then `rounds` times, every other round backwards.
    init(rounds: Int, _ contestants: [Contestant]) throws {
        order = contestants.map(\.name)
        for round in 0...rounds {
            for contestant in round % 2 == 0 ? contestants : contestants.reversed() {
                Progress.show("\(contestant.name), \(round == 0 ? "warm-up" : "run \(round)")")
                try contestant.prepare()
                let run = try contestant.program.succeed()
                try contestant.check(run)
                if round > 0 { runs[contestant.name, default: []].append(run) }
            }
        }
    }

    /// What each took, in the order in which they were named.
    var measurements: [Measured] {
        order.map { Measured(name: $0, runs: runs[$0] ?? []) }
    }

    func measured(_ name: String) -> Measured { Measured(name: name, runs: runs[name] ?? []) }

    /// How many times as long `slow` took as `fast`, pair by pair.
    func ratio(_ slow: String, to fast: String) -> Spread {
        Spread(zip(runs[slow] ?? [], runs[fast] ?? []).map { $0.wall / $1.wall })
    }

    /// The same of processor time, which other work on the machine disturbs less.
    func processorRatio(_ slow: String, to fast: String) -> Spread {
        Spread(zip(runs[slow] ?? [], runs[fast] ?? []).map { $0.processor / $1.processor })
    }
}
