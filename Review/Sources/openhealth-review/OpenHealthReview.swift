import ArgumentParser
import HealthReview

@main
struct OpenHealthReview: ParsableCommand {
    @Argument var paths: [String] = ["."]
    func run() throws {
        let outcome = try Review(paths: paths).run()
        for finding in outcome.findings { print(finding) }
        print(outcome.files, outcome.lines, outcome.unread, outcome.malformed, outcome.leftOut)
    }
}
