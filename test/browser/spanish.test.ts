import assert from 'node:assert/strict';
import { payInSandbox } from '../support/sandbox-page.ts';
import { useScreens } from '../support/screens.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('a customer who speaks Spanish', function () {
  this.timeout(120_000);
  const sit = useScreens();
  let whole: Whole;
  before(async () => {
    whole = await startWhole();
  });
  after(() => whole.close());

  it('pays in Spanish from the greeting to the receipt, on the phone too', async () => {
    const { chat, phone } = await sit(whole.addresses(), { locale: 'es-ES' });
    await chat.press('Pagar una factura');
    await chat.sees(/¿Cuál es su número de teléfono\?/);
    await chat.say('+1 202 555 0102');
    assert.match(await chat.sees(/¿Qué desea pagar\?/), /el enlace para M••• T\.[\s\S]+128,40\s+US\$/);
    await chat.press('Electricidad y gas, noviembre');

    await chat.sees(/Esperando su pago/);
    await chat.progress('✓ Enviado a su teléfono', '● Esperando a que lo abra', '○ Empezado', '○ Completado');
    await phone.outbox.getByRole('heading', { name: 'Bandeja de salida' }).waitFor();
    const device = await phone.openLink();
    assert.equal(await device.evaluate('document.documentElement.lang'), 'es');
    await chat.progress('✓ Enviado a su teléfono', '✓ Abierto', '● Esperando a que empiece', '○ Completado');
    await device.getByText('Brightwater Energy le pide que pague:').tap();
    await device.getByText('Electricidad y gas, noviembre').waitFor();
    await device.getByRole('button', { name: /^Pagar 128,40\sUS\$/ }).tap();
    await payInSandbox(device);
    await device.getByRole('heading', { name: /^Ha pagado 128,40/ }).waitFor();

    assert.match(await chat.sees(/Pago recibido/), /128,40\s+US\$\n[\s\S]*Su recibo está en la página de pago de su teléfono/);
    await chat.progress('✓ Enviado a su teléfono', '✓ Abierto', '✓ Empezado', '✓ Completado');
    await chat.sees(/¿Qué desea hacer\?/);
    const menu = [
      'Confirmar que es usted',
      'Recibir un código',
      'Firmar un documento',
      'Pagar una factura',
      'Rellenar un formulario',
      'Más…',
    ];
    assert.deepEqual(await chat.choices(), menu);
    const english = await chat.showing(/\b(?:Sent|Waiting|Payment|Thank|Amount|Phone|Choose|Cancel|Send)\b/);
    assert.deepEqual(english, []);
  });
});
