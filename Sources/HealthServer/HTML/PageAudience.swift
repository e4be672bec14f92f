/// Who reads the pages, which decides what they suggest.
package enum PageAudience: Hashable, Sendable {
    /// Whose data the pages show, where the owner has several stores.
    package enum Shown: Hashable, Sendable {
        /// The only person's.
        case onlyPerson
        /// One person's of several; the name is nil for the store without one.
        case person(named: String?)
        /// A simulated person's.
        case sampleData
    }

    /// The owner of the store. The options select the store in suggested commands, such as
    /// " --as Anna".
    case owner(commandOptions: String, shown: Shown = .onlyPerson)
    /// A person of a server of many people. The data arrives from a phone, and no command of this
    /// program helps.
    case person

    /// Returns a suggested command with the options that select the store; nil for a person who
    /// can't run it.
    func command(_ text: String) -> String? {
        switch self {
        case .owner(let options, _): text + options
        case .person: nil
        }
    }
}
