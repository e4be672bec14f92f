public import Foundation

// Predicates for kinds of objects, or for properties of objects, that are not stored. They exist so
// that apps compile. A query with such a predicate reports errorInvalidArgument, because an empty
// result would be misleading.

extension HKQuery {
    }

    private class func unsupported(_ family: String) -> NSPredicate {
        HKPredicate(
            .invalid(
                "Predicate: \(family) are not supported by this store.", text: "FALSEPREDICATE"))
    }
}
