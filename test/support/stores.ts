import type { Storage, StoreMaker } from '../../src/storage/index.ts';

/** The storage with another store in place of a capability's own. */
export const withStore = <Store>(storage: Storage, make: StoreMaker<Store>, other: NoInfer<Store>): Storage => ({
  ...storage,
  of: <Any>(one: StoreMaker<Any>) => ((one as unknown) === make ? (other as unknown as Any) : storage.of(one)),
});
