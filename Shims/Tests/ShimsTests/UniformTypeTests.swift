import Foundation
import Testing
import UniformTypeIdentifiers

@Suite struct UniformTypeTests {
    @Test("code for Apple's platforms finds types by extension, MIME type and identifier")
    func types() {
        #expect(UTType(filenameExtension: "PDF") == .pdf)
        #expect(UTType(mimeType: "image/jpeg") == .jpeg)
        #expect(UTType("com.adobe.pdf") == .pdf)
        #expect(UTType.heic.conforms(to: .image))
        #expect(UTType.png.tags[.filenameExtension] == ["png"])
        let scan = URL(fileURLWithPath: "/tmp/scan")
        #expect(scan.appendingPathExtension(for: .pdf).lastPathComponent == "scan.pdf")
    }
}
