//! `--chat-template`: texts inside the model's own template.

use stereometer_lm::{Chat, ChatError, ChatRole, ChatTemplate, Tokenizer};
use stereometer_record::ChatIdentity;

use crate::failure::{Exit, Failure};
use crate::talk::Talk;

/// Makes texts stand inside the template.
pub fn wrap(
    tokenizer: &mut Tokenizer,
    template: Option<&ChatTemplate>,
    role: ChatRole,
    talk: &Talk,
) -> Result<(), Failure> {
    let template = template.ok_or_else(|| {
        Failure::new(Exit::Input, "the model has no chat template")
            .hint("leave --chat-template out: the text is scored as plain text")
    })?;
    let plain = tokenizer.prefix_ids()?;
    *tokenizer = tokenizer.clone().in_chat(template, role).map_err(|error| failure(&error, role))?;
    if !plain.is_empty() && !tokenizer.prefix_ids()?.starts_with(&plain) {
        talk.doubt(
            "the tokenizer puts a beginning-of-text token before plain text, the chat template prints none; none is put",
            Some("transformers does the same: what a conversation begins with is the template's business"),
        );
    }
    Ok(())
}

/// What a run records of the template.
pub fn identity(chat: &Chat) -> ChatIdentity {
    ChatIdentity {
        role: chat.role.name().to_owned(),
        template_sha256: chat.template_sha256.clone(),
        before: chat.before.clone(),
        after: chat.after.clone(),
    }
}

fn failure(error: &ChatError, role: ChatRole) -> Failure {
    let failure = Failure::new(Exit::Input, error.to_string());
    match (error, role) {
        (ChatError::Refuses(_) | ChatError::NoText(_) | ChatError::Repeats(_), ChatRole::Assistant) => failure
            .hint("the text was put as the assistant's answer to an empty turn; --chat-template=user makes it the user's"),
        (ChatError::Refuses(_) | ChatError::NoText(_) | ChatError::Repeats(_), ChatRole::User) => {
            failure.hint("--chat-template=assistant makes the text the assistant's answer to an empty turn")
        }
        (ChatError::Fails(_), ChatRole::Assistant | ChatRole::User) => {
            failure.hint("the template comes with the model; without --chat-template the text is scored as plain text")
        }
    }
}
