import HealthEngine

/// A search for the settings whose totals are closest to the displayed values.
///
/// Sources are numbers: their indices in the current order of the sources with data on the days,
/// including excluded ones.
struct CalibrationSearch {
    /// The included sources, highest priority first, and the gap tolerance in seconds.
    struct Candidate: Hashable {
        var ranking: [Int]
        var tolerance = 0.0
    }

    /// The candidates with the smallest distance from the displayed values.
    struct SearchResult {
        var distance: Double
        var totals: [Double]
        var candidate: Candidate
        /// All equally good candidates, including this one.
        var ties: [Candidate]
    }

    /// The largest number of sources for which all orders are tried.
    static let maximumSources = 6
    /// The number of candidates from which on the local search for one gap tolerance stops.
    static let maximumLocalCandidates = 4000

    let sources: Int
    let current: Candidate
    let displayedTotals: [Calibration.DisplayedTotal]
    /// The sources with data, by day.
    let sourcesByDay: [Set<Int>]
    /// Returns the total of a day, from its index, its included sources in order of rank, and the
    /// gap tolerance in seconds.
    let total: (_ day: Int, _ ranking: [Int], _ tolerance: Double) -> Double
    private var cachedTotals: [Key: Double] = [:]
    private(set) var settingsTried = 0

    private struct Key: Hashable {
        var day: Int
        var candidate: Candidate
    }

    init(
        sources: Int, current: Candidate, displayedTotals: [Calibration.DisplayedTotal],
        sourcesByDay: [Set<Int>],
        total: @escaping (_ day: Int, _ ranking: [Int], _ tolerance: Double) -> Double
    ) {
        self.sources = sources
        self.current = current
        self.displayedTotals = displayedTotals
        self.sourcesByDay = sourcesByDay
        self.total = total
    }

    var coverage: Calibration.Coverage {
        sources > CalibrationSearch.maximumSources ? .local : .complete
    }

    mutating func totals(_ candidate: Candidate) -> [Double] {
        displayedTotals.indices.map { day in
            var relevant = candidate
            relevant.ranking.removeAll { !sourcesByDay[day].contains($0) }
            if relevant.ranking.count < 2 { relevant.tolerance = 0 }
            let key = Key(day: day, candidate: relevant)
            if let total = cachedTotals[key] { return total }
            let total = total(day, relevant.ranking, relevant.tolerance)
            cachedTotals[key] = total
            return total
        }
    }

    func distance(of totals: [Double]) -> Double {
        zip(displayedTotals, totals).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }

    /// Returns the best candidates for some gap tolerances. Of ties, the one with the fewest
    /// changes from the current one is chosen.
    ///
    /// - Complexity: O(candidates × days) totals, with up to 1,957 candidates for each tolerance if
    ///   there are six sources.
    mutating func best(tolerances: [Double]) -> SearchResult {
        var scores: [(candidate: Candidate, distance: Double)] = []
        for tolerance in tolerances {
            switch coverage {
            case .complete:
                for ranking in CalibrationSearch.rankings(of: Array(0..<sources)) {
                    let candidate = Candidate(ranking: ranking, tolerance: tolerance)
                    scores.append((candidate, distance(of: totals(candidate))))
                }
            case .local: scores += localSearch(tolerance)
            }
        }
        settingsTried += scores.count
        let minimum = scores.map(\.distance).min() ?? .infinity
        let epsilon = 1e-9 * displayedTotals.reduce(1) { $0 + abs($1.value) }
        let ties = scores.filter { $0.distance <= minimum + epsilon }.map(\.candidate)
        let candidate = ties.min { changes($0) < changes($1) } ?? current
        return SearchResult(
            distance: minimum, totals: totals(candidate), candidate: candidate, ties: ties)
    }

    /// Returns the distance from the current candidate, to be compared lexicographically: the
    /// number of sources excluded or included, then of pairs of sources in reverse order, then the
    /// tolerance.
    private func changes(_ candidate: Candidate) -> [Double] {
        let (old, new) = (Set(current.ranking), Set(candidate.ranking))
        let inversions = candidate.ranking.indices.reduce(0) { count, index in
            let source = candidate.ranking[index]
            return count + candidate.ranking[(index + 1)...].filter { $0 < source }.count
        }
        return [
            Double(old.symmetricDifference(new).count), Double(inversions), candidate.tolerance,
        ]
    }

    /// Returns all orders of all subsets of some items, including the empty one.
    static func rankings(of items: [Int]) -> [[Int]] {
        var rankings: [[Int]] = [[]]
        var open: [[Int]] = [[]]
        while let ranking = open.popLast() {
            for item in items where !ranking.contains(item) {
                rankings.append(ranking + [item])
                open.append(ranking + [item])
            }
        }
        return rankings
    }

    /// Runs a best-first local search from the current candidate and from the one that includes all
    /// sources. Each round expands the best candidate that is not expanded yet.
    private mutating func localSearch(_ tolerance: Double) -> [(Candidate, Double)] {
        var visited: [Candidate: Double] = [:]
        var open: [(candidate: Candidate, distance: Double)] = []
        func byDistance(_ a: (candidate: Candidate, distance: Double), _ b: (Candidate, Double))
            -> Bool
        {
            a.distance != b.1
                ? a.distance > b.1 : changes(b.0).lexicographicallyPrecedes(changes(a.0))
        }
        var found = [
            Candidate(ranking: current.ranking, tolerance: tolerance),
            Candidate(ranking: Array(0..<sources), tolerance: tolerance),
        ]
        while visited.count < CalibrationSearch.maximumLocalCandidates {
            for candidate in found where visited[candidate] == nil {
                let distance = distance(of: totals(candidate))
                visited[candidate] = distance
                let entry = (candidate: candidate, distance: distance)
                open.insert(entry, at: open.partitioningIndex { !byDistance($0, entry) })
            }
            guard let next = open.popLast() else { break }
            found = neighbors(of: next.candidate)
        }
        return visited.map { ($0.key, $0.value) }.sorted {
            $0.0.ranking.lexicographicallyPrecedes($1.0.ranking)
        }
    }

    /// Returns the candidates that differ by one swap of adjacent sources, or by one source less or
    /// more, at any place.
    private func neighbors(of candidate: Candidate) -> [Candidate] {
        var neighbors: [Candidate] = []
        let ranking = candidate.ranking
        for place in ranking.indices.dropLast() {
            var neighbor = candidate
            neighbor.ranking.swapAt(place, place + 1)
            neighbors.append(neighbor)
        }
        for place in ranking.indices {
            var neighbor = candidate
            neighbor.ranking.remove(at: place)
            neighbors.append(neighbor)
        }
        for source in 0..<sources where !ranking.contains(source) {
            for place in 0...ranking.count {
                var neighbor = candidate
                neighbor.ranking.insert(source, at: place)
                neighbors.append(neighbor)
            }
        }
        return neighbors
    }
}

/// Compares lexicographically.
private func < (a: [Double], b: [Double]) -> Bool { a.lexicographicallyPrecedes(b) }
