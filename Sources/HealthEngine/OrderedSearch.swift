extension RandomAccessCollection {
    /// Returns the first index from which a condition holds, or `endIndex` if it holds nowhere.
    ///
    /// ```swift
    /// [1, 3, 3, 7].partitioningIndex { $0 >= 3 }      // 1
    /// (0..<spans.count).partitioningIndex { spans[$0].end > time }
    /// ```
    /// A binary search. The name is that of the function in the Swift Algorithms package. If the
    /// elements are not partitioned, the result is some index, the same for every call.
    ///
    /// - Parameter belongsInSecondPartition: A predicate that is false up to some element and true
    ///   from there on.
    /// - Returns: The index of the first element of the second partition.
    /// - Throws: Rethrows errors of the predicate.
    /// - Complexity: O(log n).
    @inlinable @inline(__always)
    package func partitioningIndex(
        where belongsInSecondPartition: (Element) throws -> Bool
    ) rethrows -> Index {
        var (low, left) = (startIndex, count)
        while left > 0 {
            let half = left / 2
            let middle = index(low, offsetBy: half)
            if try belongsInSecondPartition(self[middle]) {
                left = half
            } else {
                low = index(after: middle)
                left -= half + 1
            }
        }
        return low
    }
}

extension [Double] {
    /// Returns the index of the last boundary at or before a time, or `first` if there is none.
    ///
    /// The array must be in ascending order. NaN is before all boundaries.
    ///
    /// - Parameters:
    ///   - time: The time to look for, in the unit of the boundaries.
    ///   - first: The index at which the search begins, at most `count`.
    /// - Returns: An index of at least `first`.
    /// - Complexity: O(log n).
    package func lastBoundary(atOrBefore time: Double, from first: Int = 0) -> Int {
        let after = self[first...].partitioningIndex { !($0 <= time) }
        return Swift.max(first, after - 1)
    }
}
