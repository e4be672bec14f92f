/// The content of a prescription for glasses or contact lenses. Its date of issue is the start of
/// its sample.
public struct VisionPrescription: Hashable, Sendable, Codable {
    /// `HKVisionPrescriptionType.glasses`'s raw value.
    public static let glasses = 1
    /// `HKVisionPrescriptionType.contacts`'s raw value.
    public static let contacts = 2

    /// The raw value of `HKVisionPrescriptionType`: 1 for glasses, 2 for contact lenses.
    public var type: Int
    /// The exported name of a type that is not known; nil for known ones. ``type`` then follows
    /// from the measures of the lenses.
    public var unknownTypeName: String?
    /// When it expires, in reference seconds; nil if it doesn't say.
    public var expiration: Double?
    /// The brand of contact lenses; nil if there is none.
    public var brand: String?
    /// The lens of the right eye; nil if it has none.
    public var rightEye: Lens?
    /// The lens of the left eye; nil if it has none.
    public var leftEye: Lens?
    /// The identifiers of attached files, as exported.
    public var attachments: [String]

    public init(
        type: Int, expiration: Double? = nil, brand: String? = nil, rightEye: Lens? = nil,
        leftEye: Lens? = nil, attachments: [String] = []
    ) {
        self.type = type
        self.expiration = expiration
        self.brand = brand
        self.rightEye = rightEye
        self.leftEye = leftEye
        self.attachments = attachments
    }

    /// The measures of one lens. Glasses have no base curve and diameter; contact lenses have no
    /// vertex distance, prism and pupillary distances.
    public struct Lens: Hashable, Sendable, Codable {
        /// The correction of near- or farsightedness, normally in dioptres.
        public var sphere: RecordedQuantity?
        /// The correction of astigmatism, normally in dioptres.
        public var cylinder: RecordedQuantity?
        /// The angle of the cylinder, normally in degrees.
        public var axis: RecordedQuantity?
        /// The additional power for reading, normally in dioptres.
        public var addPower: RecordedQuantity?
        /// The distance from the lens to the eye, normally in millimetres.
        public var vertexDistance: RecordedQuantity?
        /// The prism.
        public var prism: Prism?
        /// The pupillary distance for distance vision, normally in millimetres.
        public var farPupillaryDistance: RecordedQuantity?
        /// The pupillary distance for near vision, normally in millimetres.
        public var nearPupillaryDistance: RecordedQuantity?
        /// The radius of curvature of a contact lens' back, normally in millimetres.
        public var baseCurve: RecordedQuantity?
        /// The diameter of a contact lens, normally in millimetres.
        public var diameter: RecordedQuantity?

        public init(sphere: RecordedQuantity? = nil) { self.sphere = sphere }
    }
}

extension VisionPrescription {
    /// Whether a lens has a measure that only contact lenses have.
    package var hasContactMeasures: Bool {
        [rightEye, leftEye].contains { $0?.baseCurve != nil || $0?.diameter != nil }
    }
}
