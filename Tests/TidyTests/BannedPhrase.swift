/// A phrase that comments, texts and documents don't use, and its replacement.
///
/// CONTRIBUTING.md has the rules and the terms. This table contains only phrases that have few or
/// no other uses. A phrase that a sentence needs is added to ``unless``, with more of the sentence.
struct BannedPhrase: Sendable {
    /// A kind of text.
    enum Place: Sendable, CaseIterable {
        case comment, literal, document
    }

    /// The phrase in lower case. It is found as whole words, in any case.
    let phrase: String
    /// The replacement, for the message.
    let instead: String
    /// Longer phrases that are allowed, in lower case.
    let unless: [String]
    let places: [Place]

    init(
        _ phrase: String, instead: String, unless: [String] = [],
        in places: [Place] = Place.allCases
    ) {
        self.phrase = phrase
        self.instead = instead
        self.unless = unless
        self.places = places
    }

    /// The phrase as in a sentence and at its beginning.
    var spellings: [String] { [phrase, phrase.prefix(1).uppercased() + phrase.dropFirst()] }

    static let all = [
        // Constructions.
        BannedPhrase("aloud", instead: "omit it, or “reports”"),
        BannedPhrase("at leisure", instead: "“later”, or the condition"),
        BannedPhrase("comes to", instead: "“reaches”", unless: ["comes to the foreground"]),
        BannedPhrase("for good", instead: "“permanently”"),
        BannedPhrase("in turns", instead: "“alternately”"),
        BannedPhrase("in vain", instead: "“without result”"),
        BannedPhrase("is told", instead: "“is reported to”, “receives”", unless: ["is told apart"]),
        BannedPhrase("know better", instead: "“take precedence”"),
        BannedPhrase("knows better", instead: "“takes precedence”"),
        BannedPhrase("maybe seen", instead: "“possible duplicate”"),
        BannedPhrase("needs a yes", instead: "“Confirm with --yes.”"),
        BannedPhrase("never lies", instead: "“is exact”"),
        BannedPhrase("so many", instead: "the number, or “this many”"),
        BannedPhrase("stands so", instead: "what the relation is"),
        BannedPhrase("tells of", instead: "“reports”, “describes”"),
        BannedPhrase("the moment behind", instead: "“the end (exclusive)”"),
        BannedPhrase("were recorded twice", instead: "“duplicates”"),
        BannedPhrase("who wins", instead: "“source priority”"),
        BannedPhrase("who won", instead: "the source that contributes"),
        BannedPhrase("whoever", instead: "“a person who”, “a process that”"),
        // Terms.
        BannedPhrase(
            "check-up", instead: "“data quality”, or “check”", unless: ["/check-up"]),
        BannedPhrase(
            "counted once", instead: "“without double counting”",
            unless: ["are counted once", "is counted once"]),
        BannedPhrase("desk", instead: "the established term"),
        BannedPhrase("drain", instead: "“read all changes”"),
        // Names of columns and style classes are literals.
        BannedPhrase("lane", instead: "“reader”, “source”", in: [.comment, .document]),
        BannedPhrase(
            "lanes", instead: "“readers”, “sources”", unless: [".lanes"],
            in: [.comment, .document]),
        BannedPhrase("set aside", instead: "“duplicate”, “excluded”"),
        BannedPhrase("sieve", instead: "“Bloom filter”"),
        BannedPhrase("wish", instead: "“pending write”, “request”", unless: ["if you wish"]),
    ]
}
