#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension VisionPrescription {
    /// The prism of a lens, in the notation in which it was recorded.
    ///
    /// The polar notation has an amount and the direction of the prism's base. Directions are in
    /// degrees counterclockwise, as an examiner sees them who faces the person: 0° points to the
    /// person's left, 90° up. So the base at 0° is in (towards the nose) for the right eye, and out
    /// for the left eye. The rectangular notation has a vertical and a horizontal part (Semantics
    /// §10.5e).
    public struct Prism: Hashable, Sendable, Codable {
        /// The two notations.
        public enum Notation: Hashable, Sendable, Codable {
            /// The amount, normally in prism dioptres, and the direction of the base, normally in
            /// degrees.
            case polar(amount: RecordedQuantity, angle: RecordedQuantity)
            /// The vertical and the horizontal part, normally in prism dioptres. The bases are raw
            /// values of `HKPrismBase`: 0 none, 1 up, 2 down, 3 in, 4 out.
            case rectangular(
                vertical: RecordedQuantity, verticalBase: Int, horizontal: RecordedQuantity,
                horizontalBase: Int)
        }

        /// The raw values of `HKPrismBase`.
        package enum Direction: Int, Sendable {
            case none = 0
            case up = 1
            case down = 2
            case inward = 3
            case outward = 4
        }

        /// `HKVisionEye.left`'s raw value.
        public static let left = 1
        /// `HKVisionEye.right`'s raw value.
        public static let right = 2

        /// The amount and direction, as recorded.
        public var notation: Notation
        /// The eye that the lens is for: the raw value of `HKVisionEye`, 1 for left, 2 for right.
        public var eye: Int

        public init(_ notation: Notation, eye: Int) {
            self.notation = notation
            self.eye = eye
        }
    }
}

/// A prism as a vector, in any unit: up and towards the nose are positive.
package struct PrismVector: Hashable, Sendable {
    /// The part whose base is up; negative for down.
    package var up: Double
    /// The part whose base is in, towards the nose; negative for out.
    package var inward: Double

    package init(up: Double, inward: Double) {
        self.up = up
        self.inward = inward
    }

    /// Creates a vector from a polar notation.
    ///
    /// Multiples of 90° give exact zeros, so that a base up has no horizontal part.
    ///
    /// - Parameters:
    ///   - amount: The amount.
    ///   - degrees: The direction of the base; any finite number.
    ///   - eye: The raw value of `HKVisionEye`.
    package init(amount: Double, degrees: Double, eye: Int) {
        var angle = degrees.truncatingRemainder(dividingBy: 360)
        if angle < 0 { angle += 360 }
        let quadrant = (angle / 90).rounded(.down)
        let rest = (angle - quadrant * 90) * .pi / 180
        let (sine, cosine) = rest == 0 ? (0, 1) : (sin(rest), cos(rest))
        let (vertical, leftward) =
            switch quadrant {
            case 1: (cosine, -sine)
            case 2: (-sine, -cosine)
            case 3: (-cosine, sine)
            default: (sine, cosine)
            }
        up = amount * vertical + 0
        inward = amount * (eye == VisionPrescription.Prism.right ? leftward : -leftward) + 0
    }

    /// The amount of the polar notation.
    package var amount: Double { hypot(up, inward) }

    /// Returns the direction of the base in the polar notation, from 0 (inclusive) to 360
    /// (exclusive) degrees; 0 without a prism.
    ///
    /// - Parameter eye: The raw value of `HKVisionEye`.
    package func degrees(eye: Int) -> Double {
        let leftward = eye == VisionPrescription.Prism.right ? inward : -inward
        if up == 0 { return leftward < 0 ? 180 : 0 }
        if leftward == 0 { return up < 0 ? 270 : 90 }
        let angle = atan2(up, leftward) * 180 / .pi
        let positive = angle < 0 ? angle + 360 : angle
        return positive == 360 ? 0 : positive
    }

    /// The base of the vertical part.
    package var verticalBase: VisionPrescription.Prism.Direction {
        up == 0 ? .none : up > 0 ? .up : .down
    }

    /// The base of the horizontal part.
    package var horizontalBase: VisionPrescription.Prism.Direction {
        inward == 0 ? .none : inward > 0 ? .inward : .outward
    }
}

extension VisionPrescription.Prism {
    /// The prism as a vector in prism dioptres; nil if a unit is unknown or incompatible.
    package var vector: PrismVector? {
        switch notation {
        case .polar(let amount, let angle):
            guard let amount = amount.value(in: "pD"), let degrees = angle.value(in: "deg") else {
                return nil
            }
            return PrismVector(amount: amount, degrees: degrees, eye: eye)
        case .rectangular(let vertical, let verticalBase, let horizontal, let horizontalBase):
            guard let vertical = vertical.value(in: "pD"),
                let horizontal = horizontal.value(in: "pD")
            else { return nil }
            return PrismVector(
                up: Direction(rawValue: verticalBase).sign(positive: .up, negative: .down)
                    * vertical,
                inward: Direction(rawValue: horizontalBase)
                    .sign(positive: .inward, negative: .outward) * horizontal)
        }
    }

    /// The amount and direction in the polar notation, as Apple's export has them: as recorded, or
    /// converted to prism dioptres and degrees. Nil if a unit is unknown or incompatible.
    package var polar: (amount: RecordedQuantity, angle: RecordedQuantity)? {
        if case .polar(let amount, let angle) = notation { return (amount, angle) }
        guard let vector else { return nil }
        return (
            RecordedQuantity(vector.amount, "pD"),
            RecordedQuantity(vector.degrees(eye: eye), "deg")
        )
    }
}

extension VisionPrescription.Prism.Direction {
    /// The name in JSON, as in HealthKit: "in" for ``inward``.
    package var name: String {
        switch self {
        case .none: "none"
        case .up: "up"
        case .down: "down"
        case .inward: "in"
        case .outward: "out"
        }
    }

    /// The bases by name.
    package static let names: [String: VisionPrescription.Prism.Direction] = Dictionary(
        uniqueKeysWithValues: [.none, .up, .down, .inward, .outward].map { ($0.name, $0) })
}

extension Optional<VisionPrescription.Prism.Direction> {
    /// Returns 1 or -1 for one of two directions, and 0 for others.
    fileprivate func sign(
        positive: VisionPrescription.Prism.Direction, negative: VisionPrescription.Prism.Direction
    ) -> Double {
        self == positive ? 1 : self == negative ? -1 : 0
    }
}
