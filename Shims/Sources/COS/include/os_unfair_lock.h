#ifndef OS_UNFAIR_LOCK_H
#define OS_UNFAIR_LOCK_H

#include <stdbool.h>
#include <stdint.h>

/// A lock in four bytes, of which zeros are an open one; it knows the thread that holds it.
typedef struct os_unfair_lock_s {
    uint32_t _os_unfair_lock_opaque;
} os_unfair_lock, *os_unfair_lock_t;

/// Waits for the lock; ends the process if this thread holds it.
void os_unfair_lock_lock(os_unfair_lock_t _Nonnull lock);

/// Takes the lock if it is free. Returns whether it did.
bool os_unfair_lock_trylock(os_unfair_lock_t _Nonnull lock);

/// Opens the lock; ends the process if this thread does not hold it.
void os_unfair_lock_unlock(os_unfair_lock_t _Nonnull lock);

/// Ends the process if this thread does not hold the lock.
void os_unfair_lock_assert_owner(const os_unfair_lock *_Nonnull lock);

/// Ends the process if this thread holds the lock.
void os_unfair_lock_assert_not_owner(const os_unfair_lock *_Nonnull lock);

#endif
