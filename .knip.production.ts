// Dead code as production sees it: what only tests use is dead, unless its own file uses it too.
import usual from './.knip.json' with { type: 'json' };

export default { ...usual, ignoreExportsUsedInFile: true };
