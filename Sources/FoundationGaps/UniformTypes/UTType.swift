#if !canImport(Darwin)
    public import Foundation

    /// A type of file or data, such as PDF, for Linux, where UniformTypeIdentifiers is missing.
    ///
    /// ```swift
    /// UTType(filenameExtension: "pdf") == .pdf          // true
    /// UTType.jpeg.preferredMIMEType                     // "image/jpeg"
    /// UTType.jpeg.conforms(to: .image)                  // true
    /// ```
    /// The common types of Apple's documentation are known. There is no registry in which apps
    /// declare types: ``init(importedAs:conformingTo:)`` makes others. Two types are equal if their
    /// identifiers are.
    public struct UTType: Sendable {
        /// The identifier, such as "com.adobe.pdf".
        public let identifier: String
        /// The identifier of the type to which an unknown type conforms; nil for a known type.
        let parent: String?

        init(identifier: String, parent: String?) {
            self.identifier = identifier
            self.parent = parent
        }

        /// Creates a known type from its identifier; nil for an unknown one.
        ///
        /// - Parameter identifier: The identifier, in any case: "com.adobe.pdf".
        /// - Complexity: O(length).
        public init?(_ identifier: String) {
            if let known = UniformTypes.declaration(of: identifier) {
                self.init(identifier: known.identifier, parent: nil)
            } else if UTType.dynamicExtension(of: identifier) != nil {
                self.init(identifier: identifier, parent: UniformTypes.data)
            } else {
                return nil
            }
        }

        /// Creates a type that another app declares. The identifier need not be known.
        ///
        /// - Parameters:
        ///   - identifier: The identifier.
        ///   - parentType: The type to which an unknown type conforms; nil for ``data``.
        public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
            self =
                UTType(identifier)
                ?? UTType(
                    identifier: identifier, parent: parentType?.identifier ?? UniformTypes.data)
        }

        /// Creates a type that the app declares. The identifier need not be known.
        ///
        /// - Parameters:
        ///   - identifier: The identifier.
        ///   - parentType: The type to which an unknown type conforms; nil for ``data``.
        public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
            self.init(importedAs: identifier, conformingTo: parentType)
        }

        /// Creates the type of files with an extension. An unknown extension gives a dynamic type;
        /// its identifier is not the one that Apple's platforms make.
        ///
        /// - Parameters:
        ///   - filenameExtension: The extension without a dot, in any case: "pdf". Nil is returned
        ///     for an empty one, and for one with a slash, a dot or a NUL.
        ///   - supertype: A type to which the result conforms.
        public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
            self.init(
                tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
        }

        /// Creates the type with a MIME type. Nil is returned for an unknown one, whereas Apple's
        /// platforms make a dynamic type.
        ///
        /// - Parameters:
        ///   - mimeType: The MIME type, in any case and without parameters: "application/pdf".
        ///   - supertype: A type to which the result conforms.
        public init?(mimeType: String, conformingTo supertype: UTType = .data) {
            self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
        }

        /// Creates the type with a tag, as ``init(filenameExtension:conformingTo:)`` and
        /// ``init(mimeType:conformingTo:)``.
        ///
        /// - Parameters:
        ///   - tag: The extension or the MIME type.
        ///   - tagClass: Which of them it is.
        ///   - supertype: A type to which the result conforms; nil for any.
        public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
            let found = UTType.types(tag: tag, tagClass: tagClass, conformingTo: supertype)
            guard let first = found.first else { return nil }
            self = first
        }

        /// Returns the types with a tag, the preferred one first.
        ///
        /// - Parameters:
        ///   - tag: The extension or the MIME type.
        ///   - tagClass: Which of them it is.
        ///   - supertype: A type to which the results conform; nil for any.
        /// - Returns: The types; for an unknown extension a dynamic type.
        /// - Complexity: O(known types).
        public static func types(
            tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?
        ) -> [UTType] {
            let wanted = tag.lowercased()
            let known = UniformTypes.all.filter { $0.tags(tagClass).contains(wanted) }
                .map { UTType(identifier: $0.identifier, parent: nil) }
                .filter { type in supertype.map { type.conforms(to: $0) } ?? true }
            guard known.isEmpty, tagClass == .filenameExtension,
                !wanted.isEmpty, !wanted.contains(where: { "/.\0".contains($0) })
            else { return known }
            let identifier = UTType.dynamicPrefix + wanted
            return [
                UTType(identifier: identifier, parent: supertype?.identifier ?? UniformTypes.data)
            ]
        }

        private static let dynamicPrefix = "dyn.filename-extension."

        private static func dynamicExtension(of identifier: String) -> String? {
            guard identifier.hasPrefix(dynamicPrefix), identifier.count > dynamicPrefix.count else {
                return nil
            }
            return String(identifier.dropFirst(dynamicPrefix.count))
        }

        private var declaration: UniformTypes.Declaration? {
            UniformTypes.declaration(of: identifier)
        }
    }

    extension UTType {
        /// The extension for new files of the type, without a dot; nil if it has none.
        public var preferredFilenameExtension: String? {
            declaration.map { $0.extensions.first } ?? UTType.dynamicExtension(of: identifier)
        }

        /// The MIME type; nil if it has none.
        public var preferredMIMEType: String? { declaration?.mimeTypes.first }

        /// The extensions and MIME types.
        public var tags: [UTTagClass: [String]] {
            var tags: [UTTagClass: [String]] = [:]
            let extensions =
                declaration?.extensions
                ?? UTType.dynamicExtension(of: identifier).map { [$0] } ?? []
            if !extensions.isEmpty { tags[.filenameExtension] = extensions }
            if let mimeTypes = declaration?.mimeTypes, !mimeTypes.isEmpty {
                tags[.mimeType] = mimeTypes
            }
            return tags
        }

        /// All types to which the type conforms, without the type itself.
        public var supertypes: Set<UTType> {
            var found: Set<UTType> = []
            var waiting = parents
            while let identifier = waiting.popLast() {
                let type = UTType(importedAs: identifier)
                if found.insert(type).inserted { waiting += type.parents }
            }
            found.remove(self)
            return found
        }

        private var parents: [String] { declaration?.parents ?? parent.map { [$0] } ?? [] }

        /// Returns whether the type is another one or conforms to it.
        ///
        /// - Parameter type: The other type.
        /// - Returns: True if data of this type can be treated as data of the other type.
        public func conforms(to type: UTType) -> Bool { self == type || isSubtype(of: type) }

        /// Returns whether the type conforms to another type and is not the same.
        ///
        /// - Parameter type: The other type.
        public func isSubtype(of type: UTType) -> Bool { supertypes.contains(type) }

        /// Returns whether another type conforms to this type and is not the same.
        ///
        /// - Parameter type: The other type.
        public func isSupertype(of type: UTType) -> Bool { type.isSubtype(of: self) }

        /// Whether the type was made for an unknown extension.
        public var isDynamic: Bool { UTType.dynamicExtension(of: identifier) != nil }
        /// Whether the type is known.
        public var isDeclared: Bool { declaration != nil }
        /// Whether the type is known and belongs to no single company: "public.…".
        public var isPublic: Bool { identifier.hasPrefix("public.") }
        /// The version of the declaration; always nil.
        public var version: Int? { nil }
        /// A page about the type; always nil.
        public var referenceURL: URL? { nil }
        /// The name for people, in English; nil for types without one.
        public var localizedDescription: String? { declaration?.name }
    }

    extension UTType: Hashable, Codable, CustomStringConvertible, CustomDebugStringConvertible {
        public static func == (one: UTType, two: UTType) -> Bool {
            one.identifier == two.identifier
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

        /// Decodes the identifier, also of an unknown type.
        public init(from decoder: any Decoder) throws {
            self.init(importedAs: try decoder.singleValueContainer().decode(String.self))
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(identifier)
        }

        /// The identifier.
        public var description: String { identifier }
        /// The identifier.
        public var debugDescription: String { identifier }
    }

    /// A kind of tag that types have: extensions of file names, or MIME types.
    public struct UTTagClass: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// Extensions of file names.
        public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")
        /// MIME types.
        public static let mimeType = UTTagClass(rawValue: "public.mime-type")

        /// The raw value.
        public var description: String { rawValue }
    }
#endif
