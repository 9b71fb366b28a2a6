//! A wire format of your own: implement [`Api`], register it, and name it in a model. Everything that takes an
//! `ApiRegistry`, the agent above included, can use it from then on.
#![allow(clippy::print_stdout, reason = "examples print")]

use std::error::Error;
use std::sync::Arc;

use futures::StreamExt;
use pi_ai::{
    Api, ApiRegistry, AssistantMessageEvent, AssistantMessageStream, Context, Message, MessageBuilder, Model,
    StopReason, StreamOptions,
};

/// Answers with the prompt, word by word.
#[derive(Debug)]
struct Echo;

impl Api for Echo {
    fn name(&self) -> &str {
        "echo"
    }

    fn stream(&self, model: Arc<Model>, context: Context, options: StreamOptions) -> AssistantMessageStream {
        AssistantMessageStream::new(async_stream::stream! {
            let mut message = MessageBuilder::new(&model, options.clock.now_ms());
            message.start();
            let block = message.start_text();
            let prompt = match context.messages.last().map(|message| &**message) {
                Some(Message::User(user)) => user.content.to_text(),
                _ => String::new(),
            };
            for word in prompt.split_inclusive(' ') {
                if options.cancel.is_cancelled() {
                    yield message.fail(pi_ai::Error::Aborted);
                    return;
                }
                message.text_delta(block, word);
                while let Some(event) = message.next_event() {
                    yield event;
                }
            }
            message.end_text(block);
            message.edit(|message| message.stop_reason = StopReason::Stop);
            while let Some(event) = message.next_event() {
                yield event;
            }
            yield message.done();
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let apis = ApiRegistry::builtin();
    apis.register(Arc::new(Echo));
    let model = Model { id: "echo-1".into(), api: "echo".into(), provider: "me".into(), ..Model::default() };

    let mut stream = apis.stream(Arc::new(model), Context::prompt("three short words"), StreamOptions::default())?;
    while let Some(event) = stream.next().await {
        if let AssistantMessageEvent::TextDelta { delta, .. } = event {
            println!("{delta:?}");
        }
    }
    println!("[{}]", stream.result().await.stop_reason.as_str());
    Ok(())
}
