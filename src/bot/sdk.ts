// This folder's only import of the Bot Framework SDK. Its support has ended: a move to its successor begins here.
export {
  type Activity,
  CloudAdapter,
  ConfigurationBotFrameworkAuthentication,
  ConfigurationServiceClientCredentialFactory,
  type ConversationReference,
  INVOKE_RESPONSE_KEY,
  type InvokeResponse,
  type ResourceResponse,
  TurnContext,
} from 'botbuilder';
export {
  type AuthenticateRequestResult,
  AuthenticationConstants,
  allowedCallersClaimsValidator,
  ClaimsIdentity,
  type ConnectorClient,
  type ConnectorFactory,
  JwtTokenValidation,
  type ServiceClientCredentialsFactory,
  SkillValidation,
  type UserTokenClient,
} from 'botframework-connector';
