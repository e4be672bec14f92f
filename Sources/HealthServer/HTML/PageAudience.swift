/// Who reads the pages, which decides what they suggest.
package enum PageAudience: Hashable, Sendable {
    /// The owner of the store. The options select the store in suggested commands, such as
    /// " --as Anna".
    case owner(commandOptions: String)
    /// A person of a server of many people. The data arrives from a phone, and no command of this
    /// program helps.
    case person

    /// Returns a suggested command with the options that select the store; nil for a person who
    /// can't run it.
    func command(_ text: String) -> String? {
        switch self {
        case .owner(let options): text + options
        case .person: nil
        }
    }
}
