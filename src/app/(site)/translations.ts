const english = {
  skip: 'Skip to the content',
  mainNavigation: 'Main',
  footerNavigation: 'Footer',
  search: 'Search',
  searchFor: 'Search posts',
  foundNothing: 'No post has these words. Try fewer of them, or others.',
  found: (count: number) => (count === 1 ? 'One post' : `${count} posts`),
  newestPosts: 'Newest posts',
  allPosts: 'All posts',
  nothingYet: 'No post has been published yet.',
  newer: 'Newer posts',
  older: 'Older posts',
  pages: 'Pages',
  page: (page: number, of: number) => `Page ${page} of ${of}`,
  minutes: (minutes: number) => `${minutes} min read`,
  changed: (date: string) => `Changed on ${date}`,
  featured: 'Featured',
  tags: 'Tags',
  postsOn: (tag: string) => `Posts on ${tag}`,
  postsBy: (author: string) => `Posts by ${author}`,
  writtenBy: 'Written by',
  onThisPage: 'On this page',
  series: 'Series',
  partOf: (part: number, of: number) => `Part ${part} of ${of}`,
  previous: 'Previous',
  next: 'Next',
  readNext: 'Read next',
  feed: 'Feed',
  readingNow: (readers: number) => (readers === 1 ? 'One reader right now' : `${readers} readers right now`),
  email: 'E-mail address',
  signUp: 'Sign up',
  send: 'Send',
  thanks: 'Thank you.',
  footnotes: 'Footnotes',
  back: 'Back to the text',
  table: 'Table',
  done: 'Done',
  open: 'To do',
  comments: 'Comments',
  yourName: 'Name',
  yourComment: 'Comment',
  commentThanks: 'Thank you. Your comment appears here after it is approved.',
}

export type SiteTranslation = typeof english

const german: SiteTranslation = {
  skip: 'Zum Inhalt springen',
  mainNavigation: 'Hauptmenü',
  footerNavigation: 'Fußzeile',
  search: 'Suchen',
  searchFor: 'Beiträge durchsuchen',
  foundNothing: 'Kein Beitrag enthält diese Wörter. Versuchen Sie es mit weniger oder anderen.',
  found: (count) => (count === 1 ? 'Ein Beitrag' : `${count} Beiträge`),
  newestPosts: 'Neueste Beiträge',
  allPosts: 'Alle Beiträge',
  nothingYet: 'Noch wurde kein Beitrag veröffentlicht.',
  newer: 'Neuere Beiträge',
  older: 'Ältere Beiträge',
  pages: 'Seiten',
  page: (page, of) => `Seite ${page} von ${of}`,
  minutes: (minutes) => `${minutes} Min. Lesezeit`,
  changed: (date) => `Geändert am ${date}`,
  featured: 'Empfohlen',
  tags: 'Themen',
  postsOn: (tag) => `Beiträge über ${tag}`,
  postsBy: (author) => `Beiträge von ${author}`,
  writtenBy: 'Geschrieben von',
  onThisPage: 'Auf dieser Seite',
  series: 'Reihe',
  partOf: (part, of) => `Teil ${part} von ${of}`,
  previous: 'Zurück',
  next: 'Weiter',
  readNext: 'Weiterlesen',
  feed: 'Feed',
  readingNow: (readers) =>
    readers === 1 ? 'Gerade liest es ein Mensch' : `Gerade lesen es ${readers} Menschen`,
  email: 'E-Mail-Adresse',
  signUp: 'Anmelden',
  send: 'Senden',
  thanks: 'Vielen Dank.',
  footnotes: 'Fußnoten',
  back: 'Zurück zum Text',
  table: 'Tabelle',
  done: 'Erledigt',
  open: 'Offen',
  comments: 'Kommentare',
  yourName: 'Name',
  yourComment: 'Kommentar',
  commentThanks: 'Vielen Dank. Er erscheint hier, sobald ihn jemand gelesen hat.',
}

const french: SiteTranslation = {
  skip: 'Aller au contenu',
  mainNavigation: 'Menu principal',
  footerNavigation: 'Pied de page',
  search: 'Rechercher',
  searchFor: 'Rechercher dans les articles',
  foundNothing: 'Aucun article ne contient ces mots. Essayez-en moins, ou d’autres.',
  found: (count) => (count === 1 ? 'Un article' : `${count} articles`),
  newestPosts: 'Derniers articles',
  allPosts: 'Tous les articles',
  nothingYet: 'Aucun article n’a encore été publié.',
  newer: 'Articles plus récents',
  older: 'Articles plus anciens',
  pages: 'Pages',
  page: (page, of) => `Page ${page} sur ${of}`,
  minutes: (minutes) => `${minutes} min de lecture`,
  changed: (date) => `Modifié le ${date}`,
  featured: 'À la une',
  tags: 'Thèmes',
  postsOn: (tag) => `Articles sur ${tag}`,
  postsBy: (author) => `Articles de ${author}`,
  writtenBy: 'Écrit par',
  onThisPage: 'Sur cette page',
  series: 'Série',
  partOf: (part, of) => `Partie ${part} sur ${of}`,
  previous: 'Précédent',
  next: 'Suivant',
  readNext: 'À lire ensuite',
  feed: 'Flux',
  readingNow: (readers) => (readers === 1 ? 'Une personne lit ceci' : `${readers} personnes lisent ceci`),
  email: 'Adresse e-mail',
  signUp: 'S’inscrire',
  send: 'Envoyer',
  thanks: 'Merci.',
  footnotes: 'Notes',
  back: 'Retour au texte',
  table: 'Tableau',
  done: 'Fait',
  open: 'À faire',
  comments: 'Commentaires',
  yourName: 'Nom',
  yourComment: 'Commentaire',
  commentThanks: 'Merci. Il paraîtra ici dès que quelqu’un l’aura lu.',
}

const spanish: SiteTranslation = {
  skip: 'Ir al contenido',
  mainNavigation: 'Menú principal',
  footerNavigation: 'Pie de página',
  search: 'Buscar',
  searchFor: 'Buscar en los artículos',
  foundNothing: 'Ningún artículo contiene estas palabras. Pruebe con menos, o con otras.',
  found: (count) => (count === 1 ? 'Un artículo' : `${count} artículos`),
  newestPosts: 'Últimos artículos',
  allPosts: 'Todos los artículos',
  nothingYet: 'Todavía no se ha publicado ningún artículo.',
  newer: 'Artículos más recientes',
  older: 'Artículos anteriores',
  pages: 'Páginas',
  page: (page, of) => `Página ${page} de ${of}`,
  minutes: (minutes) => `${minutes} min de lectura`,
  changed: (date) => `Modificado el ${date}`,
  featured: 'Destacado',
  tags: 'Temas',
  postsOn: (tag) => `Artículos sobre ${tag}`,
  postsBy: (author) => `Artículos de ${author}`,
  writtenBy: 'Escrito por',
  onThisPage: 'En esta página',
  series: 'Serie',
  partOf: (part, of) => `Parte ${part} de ${of}`,
  previous: 'Anterior',
  next: 'Siguiente',
  readNext: 'Seguir leyendo',
  feed: 'Fuente web',
  readingNow: (readers) =>
    readers === 1 ? 'Una persona lo está leyendo' : `${readers} personas lo están leyendo`,
  email: 'Correo electrónico',
  signUp: 'Suscribirse',
  send: 'Enviar',
  thanks: 'Gracias.',
  footnotes: 'Notas',
  back: 'Volver al texto',
  table: 'Tabla',
  done: 'Hecho',
  open: 'Pendiente',
  comments: 'Comentarios',
  yourName: 'Nombre',
  yourComment: 'Comentario',
  commentThanks: 'Gracias. Aparecerá aquí en cuanto alguien lo haya leído.',
}

const languages = new Map([
  ['en', english],
  ['de', german],
  ['fr', french],
  ['es', spanish],
])

/** What the theme itself says; in English on a site whose language it does not speak. */
export const translationFor = (language: string): SiteTranslation =>
  languages.get(primaryLanguage(language)) ?? english

const rightToLeft = new Set(['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi'])

export const directionOf = (language: string): 'ltr' | 'rtl' =>
  rightToLeft.has(primaryLanguage(language)) ? 'rtl' : 'ltr'

const primaryLanguage = (language: string): string => language.toLowerCase().split('-', 1)[0] ?? ''

/** "21 November 2026", as its readers write it, on the calendar of the site. */
export function longDate(date: Date, { language, timeZone }: { language: string; timeZone: string }): string {
  const form = { dateStyle: 'long', timeZone } as const
  return new Intl.DateTimeFormat(canonicalLocale(language), form).format(date)
}

/** "Ana, Ben and Cleo" */
export const joinNames = (names: readonly string[], language: string): string =>
  new Intl.ListFormat(canonicalLocale(language), { type: 'conjunction' }).format(names)

/** A site may name a language that does not exist; its dates are then English. */
function canonicalLocale(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en'
  } catch {
    return 'en'
  }
}
