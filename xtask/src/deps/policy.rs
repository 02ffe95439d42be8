//! The policy: `deny.toml`, and the core's own list in the root manifest.

use super::licence::satisfied;
use super::tree::{Package, Tree};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// The part of `deny.toml` that we check ourselves.
#[derive(Deserialize)]
pub(super) struct Policy {
    licenses: Licences,
    bans: Bans,
}

#[derive(Deserialize)]
struct Licences {
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    #[serde(default)]
    skip: Vec<Skip>,
}

/// A version that may stand beside another of the same package.
#[derive(Deserialize)]
struct Skip {
    /// `name@version`
    #[serde(rename = "crate")]
    package: String,
}

/// Where published packages come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

impl Policy {
    pub(super) fn read(text: &str) -> anyhow::Result<Self> {
        Ok(toml::from_str(text)?)
    }

    /// Everything that is not as it should be.
    pub(super) fn faults(&self, tree: &Tree) -> Vec<String> {
        let packages = tree.packages.values();
        let mut faults: Vec<String> = packages.filter_map(|package| self.package(tree, package)).collect();
        faults.extend(self.duplicates(tree));
        faults.extend(core(tree).unwrap_or_else(|error| vec![format!("{error:#}")]));
        faults
    }

    fn package(&self, tree: &Tree, package: &Package) -> Option<String> {
        let Package { name, version, .. } = package;
        let ours = tree.members.contains(&package.id);
        if !ours && package.source.as_deref() != Some(REGISTRY) {
            let source = package.source.as_deref().unwrap_or("a path outside the workspace");
            return Some(format!("{name} {version} comes from {source}"));
        }
        let Some(licence) = &package.license else {
            return Some(format!("{name} {version} names no licence"));
        };
        match satisfied(licence, &self.licenses.allow) {
            Ok(true) => None,
            Ok(false) => {
                Some(format!("{name} {version} is licensed {licence}, which deny.toml does not allow"))
            }
            Err(error) => Some(format!("{name} {version} is licensed {licence}: {error}")),
        }
    }

    /// Packages that are there in more than one version, those in `skip` apart.
    fn duplicates(&self, tree: &Tree) -> Vec<String> {
        let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for Package { name, version, .. } in tree.packages.values() {
            if !self.bans.skip.iter().any(|skip| skip.package == format!("{name}@{version}")) {
                versions.entry(name).or_default().push(version);
            }
        }
        versions.retain(|_, versions| versions.len() > 1);
        versions.iter().map(|(name, all)| format!("{name} is there as {}", all.join(" and "))).collect()
    }
}

/// How the core's real dependencies differ from its list.
fn core(tree: &Tree) -> anyhow::Result<Vec<String>> {
    let real = tree.below_core()?;
    let listed: BTreeSet<&str> = tree.core_list.iter().map(String::as_str).collect();
    let fresh =
        real.difference(&listed).map(|name| format!("the core now brings {name}, which is not listed"));
    let stale =
        listed.difference(&real).map(|name| format!("the core's list has {name}, which is not there"));
    Ok(fresh.chain(stale).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const POLICY: &str = "licenses.allow = ['MIT']\n[bans]\nskip = [{ crate = 'old@1.0.0' }]";

    fn package(name: &str, version: &str, license: Value, source: Value) -> Value {
        json!({"id": format!("{name}@{version}"), "name": name, "version": version,
            "license": license, "source": source})
    }

    /// A workspace with the core, which needs `memchr` and tests with `proptest`; and one more package.
    fn faults(other: Value, listed: &[&str]) -> Vec<String> {
        let packages = json!([
            package("unspool", "0.1.0", json!("MIT"), Value::Null),
            package("memchr", "2.0.0", json!("Unlicense OR MIT"), json!(REGISTRY)),
            package("proptest", "1.0.0", json!("MIT"), json!(REGISTRY)),
            other,
        ]);
        let needs = |package: &str, kind: Value| json!({"pkg": package, "dep_kinds": [{"kind": kind}]});
        let metadata = json!({
            "packages": packages,
            "workspace_members": ["unspool@0.1.0"],
            "metadata": {"core": {"dependencies": listed}},
            "resolve": {"nodes": [
                {"id": "unspool@0.1.0", "deps": [
                    needs("memchr@2.0.0", Value::Null),
                    needs("proptest@1.0.0", json!("dev")),
                ]},
                {"id": "memchr@2.0.0", "deps": []},
                {"id": "proptest@1.0.0", "deps": []},
            ]},
        });
        Policy::read(POLICY).unwrap().faults(&Tree::read(metadata).unwrap())
    }

    fn check(other: Value, fault: &str) {
        assert_eq!(faults(other, &["memchr"]), [fault]);
    }

    #[test]
    fn a_good_tree_passes() {
        assert!(faults(package("good", "1.0.0", json!("MIT"), json!(REGISTRY)), &["memchr"]).is_empty());
        assert!(faults(package("old", "1.0.0", json!("MIT"), json!(REGISTRY)), &["memchr"]).is_empty());
    }

    #[test]
    fn a_licence_is_needed_and_must_be_allowed() {
        let fault = "viral 1.0.0 is licensed GPL-3.0, which deny.toml does not allow";
        check(package("viral", "1.0.0", json!("GPL-3.0"), json!(REGISTRY)), fault);
        check(package("bare", "1.0.0", Value::Null, json!(REGISTRY)), "bare 1.0.0 names no licence");
    }

    #[test]
    fn a_source_must_be_the_registry_or_the_workspace() {
        let git = "git+https://example.org/x";
        check(package("far", "1.0.0", json!("MIT"), json!(git)), &format!("far 1.0.0 comes from {git}"));
        let fault = "near 1.0.0 comes from a path outside the workspace";
        check(package("near", "1.0.0", json!("MIT"), Value::Null), fault);
    }

    #[test]
    fn two_versions_are_one_too_many() {
        let twice = package("memchr", "1.0.0", json!("MIT"), json!(REGISTRY));
        check(twice, "memchr is there as 1.0.0 and 2.0.0");
    }

    #[test]
    fn the_core_brings_what_is_listed() {
        let good = || package("good", "1.0.0", json!("MIT"), json!(REGISTRY));
        assert_eq!(faults(good(), &[]), ["the core now brings memchr, which is not listed"]);
        let stale = "the core's list has tokio, which is not there";
        assert_eq!(faults(good(), &["memchr", "tokio"]), [stale]);
    }
}
