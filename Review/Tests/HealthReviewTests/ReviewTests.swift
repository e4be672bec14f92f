import Foundation
import Testing

@testable import HealthReview

@Suite("a review of folders")
struct ReviewTests {
    @Test("findings are sorted by file, line and column, and counted")
    func sorted() throws {
        let tree = try TemporaryTree(["b.swift": "bad()\n", "a.swift": "other()\nbad(); bad()\n"])
        let outcome = try tree.review()
        #expect(
            tree.places(outcome) == [
                "a.swift:1:1 other-call", "a.swift:2:1 bad-call", "a.swift:2:8 bad-call",
                "b.swift:1:1 bad-call",
            ])
        #expect(outcome.count(.warning) == 3)
        #expect(outcome.files == 2)
        #expect(outcome.lines == 3)
        #expect(outcome.status(failOn: .warning) == 3)
        #expect(outcome.status(failOn: .error) == 0)
    }

    @Test("targets are a package's, an Xcode project's, or the given folder")
    func targets() throws {
        let tree = try TemporaryTree([
            "App.xcodeproj/project.pbxproj": "", "App/a.swift": "bad()", "Kit/b.swift": "bad()",
            "Packages/P/Package.swift": "", "Packages/P/Sources/X/c.swift": "bad()",
            "Packages/P/Sources/Y/Z/d.swift": "bad()", "Packages/P/Tests/T/e.swift": "bad()",
            "Packages/P/Plugins/f.swift": "bad()",
        ])
        let name = tree.path.lastName
        #expect(
            try tree.review().findings.map(\.message) == [
                "bad in \(name)", "bad in \(name)", "bad in P", "bad in X", "bad in Y", "bad in T",
            ])
        let plain = try TemporaryTree(["one/a.swift": "bad()", "two/b.swift": "bad()"])
        #expect(
            try plain.review(["one", "two"]).findings.map(\.message) == [
                "bad in one", "bad in two",
            ]
        )
    }

    @Test("a mistake of all targets is reported once")
    func once() throws {
        let store = "import HealthKit\nlet store = HKHealthStore()\n"
        let tree = try TemporaryTree([
            "One/One.xcodeproj/project.pbxproj": "", "One/a.swift": store,
            "Two/Two.xcodeproj/project.pbxproj": "", "Two/b.swift": store,
        ])
        let outcome = try Review(
            paths: [tree.path], rules: [AvailabilityNeverAsked()]
        ).run()
        #expect(
            tree.places(outcome).map {
                $0.hasSuffix("One/a.swift:2:13 availability-never-asked")
            } == [true])
        let package = try TemporaryTree(["Package.swift": "", "Sources/X/a.swift": store])
        let silent = try Review(paths: [package.path], rules: [AvailabilityNeverAsked()]).run()
        #expect(silent.findings.isEmpty, "the app that uses a library asks")
    }

    @Test("an app needs the entitlement for the delivery that its package enables")
    func deliveryInPackage() throws {
        let plist = "<plist><dict><key>com.apple.developer.healthkit</key><true/></dict></plist>"
        let library = """
            import HealthKit
            public final class Collector {
                public func start(_ store: HKHealthStore, _ type: HKQuantityType) {
                    enable(store, type)
                }
                private func enable(_ store: HKHealthStore, _ type: HKQuantityType) {
                    store.enableBackgroundDelivery(for: type, frequency: .hourly) { _, _ in }
                }
            }
            """
        let tree = try TemporaryTree([
            "Package.swift": "", "Sources/StudyKit/a.swift": library,
            "App/App.entitlements": plist, "App/a.swift": "import StudyKit\ncollector.start()\n",
            "App/b.swift": "import OtherKit\nother.start()\n",
        ])
        let outcome = try Review(paths: [tree.path], rules: [UsageStrings()]).run()
        #expect(
            tree.places(outcome).map { $0.hasSuffix("App/a.swift:2:1 usage-strings") } == [true])
    }

    @Test("a folder inside a package is reviewed as the package's target")
    func inside() throws {
        let tree = try TemporaryTree(["Package.swift": "", "Sources/X/a/b.swift": "bad()"])
        #expect(try tree.review(["Sources/X/a"]).findings.map(\.message) == ["bad in X"])
    }

    @Test("property lists speak for what lies in their project, packages included")
    func projectFiles() throws {
        let tree = try TemporaryTree([
            "A/A.xcodeproj/project.pbxproj": "", "A/Info.plist": "", "A/a.swift": "other()",
            "A/P/Package.swift": "", "A/P/Sources/X/b.swift": "other()",
            "B/B.xcodeproj/x": "", "B/c.swift": "other()",
        ])
        #expect(
            try tree.review().findings.map(\.message) == [
                "beside Info.plist project.pbxproj", "beside Info.plist project.pbxproj", "beside ",
            ])
    }

    @Test("code that tests other code is left out and counted, unless it is asked for")
    func tests() throws {
        let tree = try TemporaryTree([
            "a.swift": "import XCTest\nbad()", "b.swift": "import Testing\nbad()",
            "c.swift": "bad()",
        ])
        let outcome = try tree.review()
        #expect(tree.places(outcome) == ["c.swift:1:1 bad-call"])
        #expect(outcome.tests == 2)
        #expect(try tree.review(testCode: .reviewed).findings.count == 3)
    }

    @Test("lines and columns hold whatever the line ends, marks and first lines are")
    func shapes() throws {
        let tree = try TemporaryTree([
            "crlf.swift": "let a = 1\r\n  bad()\r\n", "cr.swift": "let a = 1\r  bad()\r",
            "bom.swift": "\u{FEFF}bad()\n", "shebang.swift": "#!/usr/bin/env swift\nbad()\n",
            "empty.swift": "", "wide.swift": "let é = \"😀\"; bad()\n",
        ])
        let outcome = try tree.review()
        #expect(
            tree.places(outcome) == [
                "bom.swift:1:1 bad-call", "cr.swift:2:3 bad-call", "crlf.swift:2:3 bad-call",
                "shebang.swift:2:1 bad-call", "wide.swift:1:18 bad-call",
            ])
        #expect(outcome.malformed.isEmpty)
        #expect(outcome.files == 6)
    }

    @Test("an incomplete file is reviewed up to its syntax error, which is reported")
    func half() throws {
        let tree = try TemporaryTree(["a.swift": "bad()\nfunc f() {\n    bad()\n    let x = ["])
        let outcome = try tree.review()
        #expect(tree.places(outcome) == ["a.swift:1:1 bad-call", "a.swift:3:5 bad-call"])
        #expect(outcome.malformed.map(\.line) == [4])
        #expect(outcome.status(failOn: .error) == 2)
        #expect(outcome.status(failOn: .warning) == 3)
        #expect(outcome.summary.contains("Incomplete: 1 malformed."))
    }

    @Test("what is no text, too large or in another encoding is told and not read")
    func unreadable() throws {
        let tree = try TemporaryTree(["z.swift": "bad()"])
        try tree.write(Data(repeating: 32, count: 9 << 20), to: "large.swift")
        try tree.write(Data([0, 1, 2, 255, 254]), to: "binary.swift")
        try tree.write(Data([0xFF, 0xFE, 0x62, 0x00]), to: "wide.swift")
        let outcome = try tree.review()
        #expect(
            outcome.unread.map { "\(tree.short($0.path)): \($0.reason)" } == [
                "binary.swift: binary, no text", "large.swift: larger than 8 MiB",
                "wide.swift: UTF-16, where Swift is written in UTF-8",
            ])
        #expect(outcome.files == 1)
        #expect(outcome.status(failOn: .error) == 2)
        #expect(outcome.status(failOn: .warning) == 3)
        #expect(outcome.summary.contains("Incomplete: 3 not read."))
    }

    @Test("invalid UTF-8 is reported, and the rest is reviewed")
    func latin() throws {
        let tree = try TemporaryTree()
        try tree.write(Data("// caf".utf8) + [0xE9] + Data("\nbad()\n".utf8), to: "a.swift")
        let outcome = try tree.review()
        #expect(tree.places(outcome) == ["a.swift:2:1 bad-call"])
        #expect(outcome.malformed.count == 1)
    }

    @Test("a binary property list is read as XML")
    func binaryPropertyList() throws {
        let tree = try TemporaryTree(["a.swift": ""])
        let list = try PropertyListSerialization.data(
            fromPropertyList: ["NSHealthShareUsageDescription": "x"], format: .binary, options: 0)
        try tree.write(list, to: "Info.plist")
        let text = try FileText.project(at: tree.path + "/Info.plist").text
        #expect(text.contains("<key>NSHealthShareUsageDescription</key>"))
    }

    @Test("a chain of 50,000 calls and a file of random bytes end no review")
    func torture() throws {
        let tree = try TemporaryTree(["z.swift": "bad()"])
        try tree.write(
            "let x = a" + String(repeating: "\n    .b()", count: 50_000), to: "chain.swift")
        let seed = UInt64.random(in: 0 ... .max)
        var random = seed
        for file in 0..<40 {
            let words = [
                "[", "(", "{", "}", ")", "]", "\"", "\\(", "#if", "func", "a", ".", "é", "\n",
            ]
            let text = (0..<300).map { _ in
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return words[Int(random >> 33) % words.count]
            }
            try tree.write(text.joined(separator: " "), to: "soup\(file).swift")
        }
        let outcome = try tree.review()
        #expect(outcome.findings.contains { $0.path.hasSuffix("z.swift") }, "seed \(seed)")
        #expect(
            outcome.unread.first { $0.path.hasSuffix("chain.swift") }?.reason
                == "nested more than 10000 deep")
    }
}
