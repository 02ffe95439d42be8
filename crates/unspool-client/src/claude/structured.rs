//! Answers that are Rust values.

use super::Claude;
use crate::Error;
use crate::controls::Prompt;
use crate::json::{Schema, Structured};
use serde::de::DeserializeOwned;

impl Claude {
    /// Asks for an answer of this type. The schema is made from the type, and what comes is checked against it. Claude Code
    /// answers with objects only, so it is a struct; a list, a string or `()` is refused before anything is asked.
    ///
    /// What is derived names `schemars`, so that has to be in scope; a crate that depends on it itself, in version 1, has it so.
    ///
    /// ```no_run
    /// use unspool_client::json::schemars;
    ///
    /// # async fn show(claude: unspool_client::Claude) -> Result<(), unspool_client::Error> {
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Review {
    ///     /// From 1 to 10.
    ///     grade: u8,
    ///     faults: Vec<String>,
    /// }
    ///
    /// let review = claude.ask_json::<Review>("Review the last commit.").await?.value;
    /// println!("{}: {}", review.grade, review.faults.join(", "));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn ask_json<T>(&self, prompt: impl Into<Prompt>) -> Result<Structured<T>, Error>
    where
        T: DeserializeOwned + schemars::JsonSchema,
    {
        let schema = Schema::of::<T>();
        let mut claude = self.clone();
        claude.options = claude.options.json_schema(schema.value().clone());
        let answer = claude.ask(prompt).await?;
        match schema.extract(&answer.text, answer.structured.as_ref()) {
            Ok(value) => Ok(Structured { value, answer }),
            Err(source) => Err(Error::Json { source, answer: Box::new(answer) }),
        }
    }
}
