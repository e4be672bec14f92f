import Foundation
import Synchronization

/// Runs work on threads with large stacks. A chain of 100,000 calls yields an equally deep tree.
enum LargeStackThreads {
    /// The stack size of each thread in bytes. Pages that aren't used take no memory.
    private static let size = 1 << 30

    /// Returns the values of a function for 0 ..< count, computed on all processors.
    static func map<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) -> Value
    ) -> [Value] {
        guard count > 0 else { return [] }
        let work = Work<Value>(count: count)
        let done = DispatchSemaphore(value: 0)
        let threads = min(count, max(1, ProcessInfo.processInfo.activeProcessorCount))
        for _ in 0..<threads {
            let thread = Thread {
                while let index = work.next() { work.put(body(index), at: index) }
                done.signal()
            }
            thread.stackSize = size
            thread.start()
        }
        for _ in 0..<threads { done.wait() }
        return work.values
    }

    private final class Work<Value: Sendable>: Sendable {
        private let state: Mutex<(next: Int, values: [Value?])>

        init(count: Int) {
            state = Mutex((0, Array(repeating: nil, count: count)))
        }

        func next() -> Int? {
            state.withLock { state in
                guard state.next < state.values.count else { return nil }
                defer { state.next += 1 }
                return state.next
            }
        }

        func put(_ value: Value, at index: Int) {
            state.withLock { $0.values[index] = value }
        }

        /// The values in order, after all threads have finished.
        var values: [Value] { state.withLock { $0.values.compactMap { $0 } } }
    }
}
