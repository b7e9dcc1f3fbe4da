// The option of a bot whose page runs over Azure's Direct Line.
export interface AzureDirectLineOption {
  readonly directLine?:
    | {
        /** With it, our page runs over the Direct Line of an Azure bot: its address and one of its keys. */
        readonly azure?: { readonly url: string; readonly secret: string } | undefined;
      }
    | undefined;
}
