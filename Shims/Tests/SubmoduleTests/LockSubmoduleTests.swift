import Dispatch
import Testing
import os.lock

@Suite struct LockSubmoduleTests {
    /// A counter as in client code, with a C lock behind a pointer.
    private final class Counter: @unchecked Sendable {  // the lock protects the count
        let lock = os_unfair_lock_t.allocate(capacity: 1)
        private(set) var count = 0

        init() { lock.initialize(to: os_unfair_lock()) }
        deinit { lock.deallocate() }

        func add() {
            os_unfair_lock_lock(lock)
            defer { os_unfair_lock_unlock(lock) }
            os_unfair_lock_assert_owner(lock)
            count += 1
        }
    }

    @Test("importing os.lock provides both locks")
    func locks() {
        let guarded = OSAllocatedUnfairLock(initialState: 1)
        guarded.withLock { $0 += 1 }
        #expect(guarded.withLock { $0 } == 2)
        var lock = os_unfair_lock_s()
        #expect(os_unfair_lock_trylock(&lock))
        #expect(!os_unfair_lock_trylock(&lock))
        os_unfair_lock_unlock(&lock)
        os_unfair_lock_assert_not_owner(&lock)
        #expect(MemoryLayout<os_unfair_lock>.size == 4)
    }

    @Test("all waiting threads acquire the lock")
    func contention() {
        let counter = Counter()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<20_000 { counter.add() }
        }
        #expect(counter.count == 160_000)
    }

    @Test("a lock owned by another thread fails the ownership check")
    func otherThread() {
        let counter = Counter()
        os_unfair_lock_lock(counter.lock)
        let asserted = DispatchSemaphore(value: 0)
        // This thread waits below, so the block runs on another thread.
        DispatchQueue.global().async {
            os_unfair_lock_assert_not_owner(counter.lock)
            asserted.signal()
        }
        asserted.wait()
        os_unfair_lock_assert_owner(counter.lock)
        os_unfair_lock_unlock(counter.lock)
    }

    @Test("a failed ownership assertion ends the process")
    func asserts() async {
        await #expect(processExitsWith: .failure) {
            var lock = os_unfair_lock()
            os_unfair_lock_assert_owner(&lock)
        }
        await #expect(processExitsWith: .failure) {
            var lock = os_unfair_lock()
            os_unfair_lock_lock(&lock)
            os_unfair_lock_assert_not_owner(&lock)
        }
        await #expect(processExitsWith: .failure) {
            var lock = os_unfair_lock()
            os_unfair_lock_lock(&lock)
            os_unfair_lock_lock(&lock)
        }
        await #expect(processExitsWith: .failure) {
            var lock = os_unfair_lock()
            os_unfair_lock_unlock(&lock)
        }
        await #expect(processExitsWith: .success) {
            var lock = os_unfair_lock()
            os_unfair_lock_lock(&lock)
            os_unfair_lock_assert_owner(&lock)
        }
    }
}
