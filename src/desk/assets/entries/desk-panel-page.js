// The entry of the panel that a platform shows beside a conversation.
import { Framed } from 'desk-framed';
import 'desk-heard';
import { h, render } from 'preact';

render(h(Framed, {}), document.getElementById('desk'));
