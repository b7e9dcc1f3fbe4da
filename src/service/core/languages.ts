// The service's languages are those of the bot.
export {
  isLanguage,
  type Language,
  languages,
  nearestLanguage as spokenFor,
  negotiateLanguage as negotiate,
} from '../../platform/text/languages.ts';
