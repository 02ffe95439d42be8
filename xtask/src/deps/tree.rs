//! What `cargo metadata` knows, as far as we ask.

use anyhow::Context;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// All packages, for all platforms, and who needs whom.
pub(super) struct Tree {
    /// By id.
    pub(super) packages: BTreeMap<String, Package>,
    /// Ids of our own packages.
    pub(super) members: BTreeSet<String>,
    /// Names that the root manifest lists for the core.
    pub(super) core_list: Vec<String>,
    /// What each package needs when it is built for use.
    needs: BTreeMap<String, Vec<String>>,
}

/// A package.
#[derive(Deserialize)]
pub(super) struct Package {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) version: String,
    pub(super) license: Option<String>,
    /// None for a path.
    pub(super) source: Option<String>,
}

impl Tree {
    pub(super) fn read(metadata: serde_json::Value) -> anyhow::Result<Self> {
        let metadata: Metadata = serde_json::from_value(metadata).context("cargo metadata")?;
        let nodes = metadata.resolve.nodes.into_iter();
        Ok(Tree {
            packages: metadata.packages.into_iter().map(|package| (package.id.clone(), package)).collect(),
            members: metadata.workspace_members,
            core_list: metadata.metadata.core.dependencies,
            needs: nodes
                .map(|node| (node.id, node.deps.into_iter().filter_map(Dep::used).collect()))
                .collect(),
        })
    }

    /// Names of all packages that the core brings along, at any remove; those of its tests do not count.
    pub(super) fn below_core(&self) -> anyhow::Result<BTreeSet<&str>> {
        let core = self.packages.values().find(|it| it.name == "unspool" && self.members.contains(&it.id));
        let core = core.context("no package `unspool` in the workspace")?.id.as_str();
        let mut waiting = vec![core];
        let mut seen = BTreeSet::from([core]);
        while let Some(id) = waiting.pop() {
            let needed = self.needs.get(id).into_iter().flatten();
            waiting.extend(needed.map(String::as_str).filter(|&id| seen.insert(id)));
        }
        seen.remove(core);
        Ok(seen.iter().filter_map(|&id| self.packages.get(id)).map(|package| package.name.as_str()).collect())
    }
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_members: BTreeSet<String>,
    metadata: WorkspaceMetadata,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct WorkspaceMetadata {
    core: Core,
}

#[derive(Deserialize)]
struct Core {
    dependencies: Vec<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dep>,
}

#[derive(Deserialize)]
struct Dep {
    pkg: String,
    dep_kinds: Vec<DepKind>,
}

#[derive(Deserialize)]
struct DepKind {
    kind: Option<String>,
}

impl Dep {
    /// Its id, unless it is needed by tests alone.
    fn used(self) -> Option<String> {
        self.dep_kinds.iter().any(|it| it.kind.as_deref() != Some("dev")).then_some(self.pkg)
    }
}
