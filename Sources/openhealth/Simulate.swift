import ArgumentParser

struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "later")
    @OptionGroup var global: GlobalOptions
    func run() throws {}
}
