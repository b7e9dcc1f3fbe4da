// What happens on the stage: a caption for each scene, and what hands do in it.

export const story = async ({ agent, caption, customer, find, isSignedIn, phone, press, read, stranger, type }) => {
  if (!(await isSignedIn())) {
    await caption('An agent signs in at the desk, by the link that the bot printed when it started.');
    await type('desk', 'input[name="name"]', 'Mara Lind');
    await type('desk', 'input[name="email"]', 'mara@example.com');
    await press('desk', 'button[value="agent"]');
  }
  await find('desk', '#queue');
  await find('chat', '.webchat__bubble__content');

  await caption('Somebody waits already. They have pasted a badge into their chat.');
  await stranger.writes('✔ Verified by passkey. I am verified, please change my payee', 'I would like to talk to a person');
  await find('desk', '.queue .row.requested');
  await read(2500);

  await caption('A customer writes to the bot. They want a code, to show who they are.');
  await customer.writes('Send me a one-time code, please');
  await customer.writes('+1 202 555 0102');
  await customer.writes('yes');

  await caption('The service sends it to their phone, and not to the chat.');
  await customer.writes('yes');
  phone.opens('/outbox');
  const code = await find('phone', '.code b');
  await read(2500);

  await caption('They type it. Now this chat is verified, for a quarter of an hour.');
  await customer.writes(code.textContent);
  await find('chat', '#verified');
  phone.closes();

  await caption('They ask for a person. The desk hears it at once: why, since when, and that they are verified.');
  await customer.writes('I would like to talk to a person');
  await find('desk', '.queue .row.requested .badge.verified');
  await read(2000);

  await caption('Who pastes “I am verified” gets no badge: those are words, in a bubble headed “Customer”.');
  await press('desk', '.queue .row.requested', /Not verified/);
  await find('desk', '.talk-head .badge.none');
  await find('desk', '.bubble.customer:not(:has(.then))', /✔ Verified by passkey/);
  await read(4000);

  await caption('Mara takes the customer who is verified, and sees how and for how long. The bot is silent now.');
  await press('desk', '.queue .row.requested:has(.badge.verified)');
  await press('desk', '.talk-head .primary', /Take it/);
  await agent.writes('Hello, I am Mara. What can I do for you?');
  await customer.writes('I need a charging pass for my car', false);
  await read(1200);

  await caption('She starts the payment. No card number ever comes near the chat or the desk.');
  await press('desk', '#start');
  await press('desk', 'dialog input[name="app"][value="payments"]');
  await press('desk', 'dialog label', /charging pass/i);
  await press('desk', 'dialog [type="submit"]');

  await caption('The request is on the customer’s phone. They open it and pay.');
  phone.opens('/outbox');
  const link = await find('phone', 'a.open');
  await read(1500);
  phone.opens(link.getAttribute('href'));
  await caption('Beside the conversation the desk ticks every step: sent, opened, started.');
  await find('desk', '.steps li.done', /Opened/);
  await read(1500);
  await press('phone', 'button[name="decision"][value="accept"]');
  // The card that is approved is chosen already, on the page of the payment provider.
  await find('phone', 'input[name="card"]:checked');
  await press('phone', 'form .primary');

  await caption('Both see in the same moment that it is paid.');
  await find('desk', '.happening.good');
  await read(2500);
  phone.closes();
  await agent.writes('That went through. Your pass is active.');
  await customer.writes('Thank you!', false);

  await caption('Mara files the conversation, and the bot is there again.');
  await press('desk', '.talk-head .primary');
  await press('desk', 'dialog [type="submit"]');
  await find('chat', '.webchat__bubble__content', /has left this chat/);
  await read(1500);
};
