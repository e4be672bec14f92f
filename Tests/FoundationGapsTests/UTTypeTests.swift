import Foundation
import FoundationGaps
import HealthTesting
import Testing

#if canImport(Darwin)
    import UniformTypeIdentifiers
#endif

/// The types of files, with code that also compiles against Apple's module.
@Suite struct UTTypeTests {
    /// Facts of Apple's page “System-declared uniform type identifiers”.
    private static let facts: [(UTType, String, String?, String?)] = [
        (.pdf, "com.adobe.pdf", "pdf", "application/pdf"),
        (.jpeg, "public.jpeg", "jpeg", "image/jpeg"),
        (.png, "public.png", "png", "image/png"),
        (.heic, "public.heic", "heic", "image/heic"),
        (.tiff, "public.tiff", "tiff", "image/tiff"),
        (.gif, "com.compuserve.gif", "gif", "image/gif"),
        (.plainText, "public.plain-text", "txt", "text/plain"),
        (.xml, "public.xml", "xml", "application/xml"),
        (.json, "public.json", "json", "application/json"),
        (.zip, "public.zip-archive", "zip", "application/zip"),
        (.mp3, "public.mp3", "mp3", "audio/mpeg"),
        (.quickTimeMovie, "com.apple.quicktime-movie", "mov", "video/quicktime"),
        (.data, "public.data", nil, nil), (.item, "public.item", nil, nil),
    ]

    @Test("a type has its identifier, its extension and its MIME type")
    func facts() {
        for (type, identifier, filenameExtension, mimeType) in Self.facts {
            #expect(type.identifier == identifier)
            #expect(UTType(identifier) == type)
            #expect(type.preferredFilenameExtension == filenameExtension)
            #expect(type.preferredMIMEType == mimeType)
            if let filenameExtension {
                #expect(UTType(filenameExtension: filenameExtension.uppercased()) == type)
            }
            if let mimeType { #expect(UTType(mimeType: mimeType) == type) }
        }
        #expect(UTType(filenameExtension: "jpg") == .jpeg)
        #expect(UTType(filenameExtension: "htm") == .html)
        #expect(UTType(filenameExtension: "mp4", conformingTo: .audio) == .mpeg4Audio)
    }

    @Test("a type conforms to itself and to the types above it, and to no others")
    func conformance() {
        for type in [UTType.jpeg, .png, .heic, .tiff, .gif, .svg, .webP] {
            #expect(type.conforms(to: .image) && type.conforms(to: .data))
            #expect(!type.conforms(to: .text) || type == .svg)
        }
        #expect(UTType.pdf.conforms(to: .pdf) && !UTType.pdf.isSubtype(of: .pdf))
        #expect(UTType.pdf.conforms(to: .content) && !UTType.pdf.conforms(to: .image))
        #expect(UTType.movie.isSupertype(of: .quickTimeMovie))
        #expect(UTType.commaSeparatedText.conforms(to: .text))
        #expect(UTType.data.supertypes == [.item] && UTType.item.supertypes == [])
    }

    @Test("an unknown identifier is no type; an unknown extension is a dynamic one")
    func unknown() throws {
        #expect(UTType("com.example.nothing") == nil)
        #expect(UTType("") == nil && UTType(filenameExtension: "") == nil)
        #expect(UTType(filenameExtension: "a/b") == nil)
        let own = try #require(UTType(filenameExtension: "lens"))
        #expect(own.isDynamic && !own.isDeclared && own.conforms(to: .data))
        #expect(own.preferredFilenameExtension == "lens")
        #expect(UTType(own.identifier) == own)
        let imported = UTType(importedAs: "com.example.lens", conformingTo: .image)
        #expect(imported.conforms(to: .image) && imported.identifier == "com.example.lens")
        #expect(UTType(exportedAs: "com.adobe.pdf") == .pdf)
    }

    @Test("a type is archived as its identifier")
    func coding() throws {
        let types = [UTType.pdf, UTType(importedAs: "com.example.lens")]
        let data = try JSONEncoder().encode(types)
        #expect(try JSONDecoder().decode([UTType].self, from: data) == types)
        #expect(Set([UTType.pdf, UTType("com.adobe.pdf")]).count == 1)
    }

    @Test("a URL gets the extension of a type, unless it has one")
    func paths() {
        let folder = URL(fileURLWithPath: "/tmp", isDirectory: true)
        let file = folder.appendingPathComponent("scan", conformingTo: .pdf)
        #expect(file.lastPathComponent == "scan.pdf")
        #expect(file.appendingPathExtension(for: .pdf) == file)
        #expect(file.appendingPathExtension(for: .jpeg).lastPathComponent == "scan.pdf.jpeg")
        var photo = folder.appendingPathComponent("photo.JPG")
        photo.appendPathExtension(for: .jpeg)
        #expect(photo.lastPathComponent == "photo.JPG")
    }
}
