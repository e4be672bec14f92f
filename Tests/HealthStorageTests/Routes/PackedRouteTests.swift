import HealthEngine
import Testing

@testable import HealthStorage

@Suite("The points of a route as bytes")
struct PackedRouteTests {
    /// Returns a run with one point per second, as in exports: six decimals, whole seconds.
    private func run(_ count: Int) -> [RoutePoint] {
        func millionths(_ number: Int) -> Double { Double(number) / 1e6 }
        return (0..<count).map { index in
            let latitude = millionths(48_100_000 + index * 27 % 1000)
            let longitude = millionths(11_500_000 - index * 31)
            let altitude = millionths(520_000_000 + index % 77 * 1234)
            let course = millionths(index * 7919 % 360_000_000)
            let speed = millionths(3_000_000 + index * 131 % 900_000)
            return RoutePoint(
                time: 731_754_000 + Double(index), latitude: latitude, longitude: longitude,
                altitude: altitude, horizontalAccuracy: 4.25, verticalAccuracy: 3.5,
                course: course, speed: speed)
        }
    }

    @Test("points come back bit by bit, in a fifth of their size")
    func printed() throws {
        let points = run(20_000)
        let bytes = PackedRoute.bytes(of: points)
        #expect(try PackedRoute.points(from: bytes) == points)
        #expect(bytes.count < 20_000 * 18, "\(bytes.count)")
    }

    @Test("numbers that no decimals fit come back bit by bit")
    func strange() throws {
        var points = run(6)
        points[0].latitude = 0.1 + 0.2
        points[1].longitude = -0.0
        points[2].altitude = .infinity
        points[3].time = 1e300
        points[4].speed = .leastNonzeroMagnitude
        points[5].courseAccuracy = 1.5
        let read = try PackedRoute.points(from: PackedRoute.bytes(of: points))
        #expect(read == points)
        #expect(read[1].longitude.sign == .minus)
        #expect(try PackedRoute.points(from: PackedRoute.bytes(of: [])) == [])
    }

    @Test("random points come back bit by bit", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) throws {
        var state = seed
        func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Double(Int64(bitPattern: state) >> 20)
            return state >> 60 < 8 ? value / 1e5 : value / 1e9
        }
        let points = (0..<500).map { _ in
            RoutePoint(
                time: next(), latitude: next(), longitude: next(), altitude: next(),
                horizontalAccuracy: next(), verticalAccuracy: next(), course: next(),
                speed: next(), speedAccuracy: next())
        }
        #expect(try PackedRoute.points(from: PackedRoute.bytes(of: points)) == points, "\(seed)")
    }

    @Test("damaged bytes are an error or other points, never a trap")
    func damage() throws {
        let bytes = PackedRoute.bytes(of: run(40))
        for length in 0..<bytes.count {
            #expect(throws: StoreError.self) {
                try PackedRoute.points(from: Array(bytes.prefix(length)))
            }
        }
        for index in bytes.indices {
            for change in [1, 0x80, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[index] ^= change
                _ = try? PackedRoute.points(from: damaged)
            }
        }
        #expect(throws: StoreError.self) {
            try PackedRoute.points(from: [1] + Array(repeating: 0xFF, count: 9) + [1])
        }
    }
}
