import Foundation
import Synchronization

/// Requests at a fixed rate, whether or not the earlier ones have been answered, so that a server that
/// is late can't slow its load down; or as fast as they are answered.
final class RequestLoad: Sendable {
    /// What came of the requests.
    struct Result {
        /// The seconds from the moment when a request was due to the end of its answer, sorted.
        var seconds: [Double]
        /// The seconds from the first to the end of the last.
        var duration: Double

        /// Returns a quantile of the response times in milliseconds.
        func milliseconds(_ quantile: Double) -> Double {
            guard !seconds.isEmpty else { return .nan }
            let index = Int((Double(seconds.count) * quantile).rounded(.up)) - 1
            return seconds[min(max(index, 0), seconds.count - 1)] * 1000
        }
    }

    private struct State {
        var next = 0
        var seconds: [Double] = []
        var failure: String?
    }

    /// Sends the request with a number, on one of the connections: one to each server.
    typealias Request = @Sendable (_ number: Int, _ clients: [PageClient]) throws -> Void

    private let rate: Double
    private let count: Int
    private let ports: [UInt16]
    private let request: Request
    private let state = Mutex(State())
    private let start = ContinuousClock.now + .milliseconds(200)

    private init(rate: Double, count: Int, ports: [UInt16], _ request: @escaping Request) {
        self.rate = rate
        self.count = count
        self.ports = ports
        self.request = request
    }

    /// Sends requests, and waits for their answers.
    ///
    /// - Parameters:
    ///   - rate: Requests a second; infinity for as fast as they are answered.
    ///   - count: The number of requests.
    ///   - connections: The number of threads, each with a connection to each server.
    ///   - ports: The ports of the servers.
    /// - Throws: ``Failure`` with the first error. The other requests are not sent then.
    static func run(
        rate: Double = .infinity, count: Int, connections: Int, to ports: [UInt16],
        _ request: @escaping Request
    ) throws(Failure) -> Result {
        let load = RequestLoad(rate: rate, count: count, ports: ports, request)
        let group = DispatchGroup()
        for _ in 0..<connections {
            group.enter()
            Thread.detachNewThread {
                load.work()
                group.leave()
            }
        }
        group.wait()
        let duration = (ContinuousClock.now - load.start) / .seconds(1)
        let (seconds, failure) = load.state.withLock { ($0.seconds, $0.failure) }
        if let failure { throw Failure(failure) }
        return Result(seconds: seconds.sorted(), duration: duration)
    }

    private func work() {
        do {
            let clients = try ports.map { try PageClient(port: $0, cookie: "") }
            while let number = take() {
                let due = start + .seconds(Double(number) / rate)
                while rate.isFinite, case let wait = due - .now, wait > .zero {
                    usleep(UInt32(min(wait / .microseconds(1), 100_000)) + 1)
                }
                let from = rate.isFinite ? due : .now
                try request(number, clients)
                let seconds = (ContinuousClock.now - from) / .seconds(1)
                state.withLock { $0.seconds.append(seconds) }
            }
        } catch {
            let message = (error as? Failure)?.message ?? "\(error)"
            state.withLock { $0.failure = $0.failure ?? message }
        }
    }

    private func take() -> Int? {
        state.withLock { state in
            guard state.next < count, state.failure == nil else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }
}
