/// One side of a paired measurement.
struct BenchmarkProgram {
    var name: String
    var program: Program
    /// Prepares each run, for example by removing the store. It isn't timed.
    var prepare: () throws -> Void = {}
    /// Checks the output of each run. It isn't timed.
    var check: (ProcessRun) throws -> Void = { _ in }
}

/// Runs of several programs, interleaved so that other load on the machine affects all of them.
struct PairedMeasurement {
    private(set) var runs: [String: [ProcessRun]] = [:]
    private let order: [String]

    /// Runs every program once as a warm-up and then `rounds` times, in alternating order.
    init(rounds: Int, _ programs: [BenchmarkProgram]) throws {
        order = programs.map(\.name)
        for round in 0...rounds {
            for benchmark in round % 2 == 0 ? programs : programs.reversed() {
                Progress.show("\(benchmark.name), \(round == 0 ? "warm-up" : "run \(round)")")
                try benchmark.prepare()
                let run = try benchmark.program.succeed()
                try benchmark.check(run)
                if round > 0 { runs[benchmark.name, default: []].append(run) }
            }
        }
    }

    /// The measurements, in the order of the programs.
    var measurements: [Measured] {
        order.map { Measured(name: $0, runs: runs[$0] ?? []) }
    }

    func measured(_ name: String) -> Measured { Measured(name: name, runs: runs[name] ?? []) }

    /// Returns the ratios of wall time, `slow` divided by `fast`, pair by pair.
    func ratio(_ slow: String, to fast: String) -> Spread {
        Spread(zip(runs[slow] ?? [], runs[fast] ?? []).map { $0.wall / $1.wall })
    }

    /// Returns the ratios of processor time, which depends less on other load on the machine.
    func processorRatio(_ slow: String, to fast: String) -> Spread {
        Spread(zip(runs[slow] ?? [], runs[fast] ?? []).map { $0.processor / $1.processor })
    }
}
