public import HealthEngine

/// Every small arrangement of samples on a grid of whole seconds.
///
/// Two worlds that differ only in the order of their samples are one, and so are two that differ
/// only in which ranks stand unused: ranks in use are always 0, 1, … without a hole.
public struct SmallWorlds: Sendable {
    /// Where one sample lies and whose it is.
    public struct Place: Hashable, Sendable {
        public let rank: Int32
        public let start: Int
        public let end: Int
    }

    public let places: [Place]
    /// The least common multiple of possible durations and half seconds, so that every share of a
    /// sample's value is a whole number and sums are exact in any order.
    public static let valueUnit = 24.0

    /// All places of `sources` sources on the grid 0…`last`, instants included.
    public init(sources: Int32, last: Int) {
        var places: [Place] = []
        for rank in 0..<sources {
            for start in 0...last {
                for end in start...last { places.append(Place(rank: rank, start: start, end: end)) }
            }
        }
        self.places = places
    }

    /// Calls `body` with every world of 1 to `most` samples and says how many there were.
    @discardableResult
    public func each(upTo most: Int, _ body: ([Place]) -> Void) -> Int {
        var world: [Place] = []
        var count = 0
        func extend(from first: Int) {
            if !world.isEmpty && Self.hasNoHole(world) {
                count += 1
                body(world)
            }
            if world.count == most { return }
            for index in first..<places.count {
                world.append(places[index])
                extend(from: index)
                world.removeLast()
            }
        }
        extend(from: 0)
        return count
    }

    /// Places come with ranks ascending, so that ranks in use step by at most one from 0.
    private static func hasNoHole(_ world: [Place]) -> Bool {
        var next: Int32 = 0
        for place in world {
            if place.rank > next { return false }
            next = max(next, place.rank + 1)
        }
        return true
    }

    /// 24, 240, 2400 …
    public static func amount(_ index: Int) -> Double {
        (0..<index).reduce(valueUnit) { value, _ in value * 10 }
    }

    /// 50, 61, 72 …: a heart rate, a sound level.
    public static func level(_ index: Int) -> Double { 50 + 11 * Double(index) }

    /// A batch of a world in (start, key) order.
    ///
    /// Sources are numbered against their rank, so that a mix-up of index and rank shows. Amounts
    /// are powers of ten, so that a sum tells whose samples are in it.
    public static func batch(
        of world: [Place], sources: Int32, values: (Int) -> Double = SmallWorlds.amount
    ) -> (SampleBatch, SourceOrder) {
        var samples: [Sample] = []
        for (index, place) in world.enumerated() {
            samples.append(
                Sample(
                    type: 1, origin: sources - 1 - place.rank, start: Double(place.start),
                    end: Double(place.end), created: Double(index % 2), value: values(index),
                    key: Int64((index * 7) % 5)))
        }
        var batch = SampleBatch(samples: samples)
        batch.sources = (0..<sources).map { Source(name: "S\($0)", bundleIdentifier: "test.\($0)") }
        batch.origins = (0..<sources).map { Origin(source: $0) }
        batch.order()
        return (batch, SourceOrder(ranking: (0..<sources).reversed()))
    }
}
