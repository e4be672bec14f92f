// The lock's word holds the owner's thread ID and, in the highest bit, whether others may wait.
// Waiting uses a futex. Linux thread IDs are below 2^22.
#if defined(__linux__)

#define _GNU_SOURCE
#include "os_unfair_lock.h"

#include <linux/futex.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint32_t waiters = 0x80000000u;

// The cached thread ID. The child of a fork has a new ID and a copy of the old cache.
static _Thread_local uint32_t known_thread;

static void forget_thread(void) { known_thread = 0; }

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(NULL, NULL, forget_thread);
}

static uint32_t this_thread(void) {
    if (known_thread == 0) known_thread = (uint32_t)syscall(SYS_gettid);
    return known_thread;
}

static void stop(const char *message) {
    ssize_t written = write(STDERR_FILENO, message, strlen(message));
    (void)written;
    __builtin_trap();
}

static uint32_t owner(const os_unfair_lock *lock) {
    return __atomic_load_n(&lock->_os_unfair_lock_opaque, __ATOMIC_RELAXED) & ~waiters;
}

static bool take(os_unfair_lock_t lock, uint32_t value) {
    uint32_t open = 0;
    return __atomic_compare_exchange_n(
        &lock->_os_unfair_lock_opaque, &open, value, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void os_unfair_lock_lock(os_unfair_lock_t lock) {
    uint32_t thread = this_thread();
    if (take(lock, thread)) return;
    uint32_t *word = &lock->_os_unfair_lock_opaque;
    // A thread that has waited acquires the lock with the bit set, since others may still wait.
    while (!take(lock, thread | waiters)) {
        uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
        if ((seen & ~waiters) == thread)
            stop("os_unfair_lock: locked again on the thread that holds the lock\n");
        if (seen == 0) continue;
        if (!(seen & waiters)
            && !__atomic_compare_exchange_n(
                word, &seen, seen | waiters, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            continue;
        syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen | waiters, NULL, NULL, 0);
    }
}

bool os_unfair_lock_trylock(os_unfair_lock_t lock) { return take(lock, this_thread()); }

void os_unfair_lock_unlock(os_unfair_lock_t lock) {
    if (owner(lock) != this_thread())
        stop("os_unfair_lock: unlocked on a thread that does not hold the lock\n");
    uint32_t *word = &lock->_os_unfair_lock_opaque;
    if (__atomic_exchange_n(word, 0, __ATOMIC_RELEASE) & waiters)
        syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void os_unfair_lock_assert_owner(const os_unfair_lock *lock) {
    if (owner(lock) != this_thread())
        stop("os_unfair_lock: this thread was to hold the lock and does not\n");
}

void os_unfair_lock_assert_not_owner(const os_unfair_lock *lock) {
    if (owner(lock) == this_thread())
        stop("os_unfair_lock: this thread was not to hold the lock and does\n");
}

#endif
