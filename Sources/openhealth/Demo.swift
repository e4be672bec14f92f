import ArgumentParser

struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "later")
    @OptionGroup var global: GlobalOptions
    func run() throws {}
}
