// How Teams draws cards: its host config, with the values of Microsoft's card designer (npmjs.com,
// adaptivecards-designer, hostConfigs/microsoft-teams-light.json and -dark.json). Microsoft's client has changed in
// small ways since; test/teams tries it. Eight digits are ARGB, as in host configs.
const themes = {
  light: {
    background: '#ffffff',
    emphasis: '#f9f8f7',
    text: ['#252424', '#bf252424'],
    accent: ['#6264a7', '#8b8cc7'],
    attention: ['#c4314b', '#e5c4314b'],
  },
  dark: {
    background: '#2d2c2c',
    emphasis: '#292828',
    text: ['#ffffff', '#bfffffff'],
    accent: ['#a6a7dc', '#8b8cc7'],
    attention: ['#d74654', '#e5d74654'],
  },
};

/** @param {'light' | 'dark'} theme */
export const teamsHost = (theme) => {
  const { background, emphasis, text, accent, attention } = themes[theme];
  const shades = (both) => ({ default: both[0], subtle: both[1] });
  const foregroundColors = {
    default: shades(text),
    dark: shades(text),
    light: shades(['#ffffff', '#f3f2f1']),
    accent: shades(accent),
    good: shades(['#92c353', '#e592c353']),
    warning: shades(['#f8d22a', '#e5f8d22a']),
    attention: shades(attention),
  };
  const container = (backgroundColor) => ({ backgroundColor, foregroundColors });
  const fontType = (fontFamily) => ({
    fontFamily,
    fontSizes: { small: 12, default: 14, medium: 14, large: 18, extraLarge: 24 },
    fontWeights: { lighter: 200, default: 400, bolder: 600 },
  });
  return {
    supportsInteractivity: true,
    spacing: { small: 8, default: 12, medium: 16, large: 20, extraLarge: 24, padding: 16 },
    separator: { lineThickness: 1, lineColor: theme === 'dark' ? '#484644' : '#eeeeee' },
    fontTypes: {
      default: fontType("'Segoe UI', Tahoma, Geneva, Verdana, sans-serif"),
      monospace: fontType("'Courier New', Courier, monospace"),
    },
    textBlock: { headingLevel: 2 },
    textStyles: { heading: { fontType: 'default', size: 'large', weight: 'bolder', color: 'default', isSubtle: false } },
    containerStyles: {
      default: container(background),
      emphasis: container(emphasis),
      accent: container(emphasis),
      good: container(emphasis),
      warning: container(emphasis),
      attention: container(emphasis),
    },
    actions: {
      maxActions: 6,
      spacing: 'default',
      buttonSpacing: 8,
      actionsOrientation: 'horizontal',
      actionAlignment: 'left',
      showCard: { actionMode: 'inline', inlineTopMargin: 16 },
    },
    adaptiveCard: { allowCustomStyle: false },
  };
};
