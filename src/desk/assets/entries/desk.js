// The entry of the desk's page.
import { App } from 'desk-app';
import 'desk-heard';
import { h, render } from 'preact';

const place = document.getElementById('desk');
place.textContent = '';
render(h(App, {}), place);
