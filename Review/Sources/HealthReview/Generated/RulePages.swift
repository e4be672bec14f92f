// Rendered from Documentation/Review by RulePageTests; don't edit.

/// The rules' pages, by name.
enum RulePages {
    static let all: [String: String] = [
        "ignore-unknown-rule": ###"""
            # ignore-unknown-rule

            *warning* — a comment hides a rule that there isn't.

            ```swift
            // openhealth:ignore unlimited-query Heights only.
            ```

            A name with a typing mistake hides nothing, and a rule that was given another name is heeded again without
            anybody having decided so. A comment that names no rule at all is found too: there is no way to hide all of
            them, since the next mistake in the same line would be hidden with the first.

            ## The right shape

            ```swift
            // openhealth:ignore unbounded-query, forced-type Heights only, of a type that has been there since iOS 8.
            ```

            `openhealth-review --rules` lists the names.

            ## When to ignore it

            When several versions of the tool review the same code and one of them is older than the rule.

            """###,
        "ignore-unused": ###"""
            # ignore-unused

            *note* — a comment hides nothing: what it was for is gone.

            ```swift
            // openhealth:ignore unbounded-query Heights only.
            let query = HKSampleQuery(sampleType: height, predicate: lastYear, limit: 20, …)
            ```

            The code was mended, or the comment stands above another statement than it should. Left where it is, it will
            hide the mistake when somebody makes it again.

            ## The right shape

            Remove the comment, or put it where the finding is: behind the code in the finding's line, or by itself above
            the statement. Above a statement it speaks for all of that statement, but not for the statements inside its
            closures and blocks.

            ## When to ignore it

            Nothing is said about rules that the settings turn off: they didn't look.

            """###,
        "ignore-without-reason": ###"""
            # ignore-without-reason

            *warning* — a comment hides findings and doesn't say why.

            ```swift
            // openhealth:ignore unbounded-query
            let query = HKSampleQuery(…)
            ```

            Such a comment hides nothing. Whoever reads the code next year can't tell whether the finding was wrong,
            whether it was looked at, or whether there was no time; the reason is what they need.

            ## The right shape

            ```swift
            // openhealth:ignore unbounded-query A person logs a height once or twice in a life.
            let query = HKSampleQuery(…)
            ```

            The reason stands on the comment's own line, behind the names of the rules.

            ## When to ignore it

            Never: it can be turned off in the settings (`"ignore-without-reason": "off"`), and then the comments still
            hide nothing.

            """###,
    ]
}
