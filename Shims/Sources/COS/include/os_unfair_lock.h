#ifndef OS_UNFAIR_LOCK_H
#define OS_UNFAIR_LOCK_H

#include <stdbool.h>
#include <stdint.h>

/// A four-byte lock that records the owning thread. Zero means unlocked.
typedef struct os_unfair_lock_s {
    uint32_t _os_unfair_lock_opaque;
} os_unfair_lock, *os_unfair_lock_t;

/// Acquires the lock, waiting if necessary. Ends the process if this thread already holds it.
void os_unfair_lock_lock(os_unfair_lock_t _Nonnull lock);

/// Acquires the lock if it is free. Returns whether it did.
bool os_unfair_lock_trylock(os_unfair_lock_t _Nonnull lock);

/// Releases the lock. Ends the process if this thread does not hold it.
void os_unfair_lock_unlock(os_unfair_lock_t _Nonnull lock);

/// Ends the process if this thread does not hold the lock.
void os_unfair_lock_assert_owner(const os_unfair_lock *_Nonnull lock);

/// Ends the process if this thread holds the lock.
void os_unfair_lock_assert_not_owner(const os_unfair_lock *_Nonnull lock);

#endif
