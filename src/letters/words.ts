/** The texts around a letter, in the language of the site or of the subscriber. */
interface LetterWords {
  language: string
  confirmSubject: (list: string) => string
  confirmAsk: (list: string, site: string) => string
  confirm: string
  confirmOtherwise: string
  confirmed: string
  confirmedAdvice: (list: string) => string
  unsubscribe: string
  unsubscribeAsk: (list: string) => string
  unsubscribed: string
  unsubscribedAdvice: (list: string) => string
  readOnline: string
  /** Stands for a block that works on the site only. */
  seeOnline: string
  why: (list: string, site: string) => string
}

const english: LetterWords = {
  language: 'en',
  confirmSubject: (list) => `Confirm your subscription to ${list}`,
  confirmAsk: (list, site) => `This address was entered to subscribe to ${list} of ${site}.`,
  confirm: 'Confirm subscription',
  confirmOtherwise: 'If you did not enter it, ignore this e-mail. You will not get another.',
  confirmed: 'Subscription confirmed',
  confirmedAdvice: (list) => `You will get ${list} by e-mail. Each e-mail has a link to unsubscribe.`,
  unsubscribe: 'Unsubscribe',
  unsubscribeAsk: (list) => `Unsubscribe from ${list}?`,
  unsubscribed: 'Unsubscribed',
  unsubscribedAdvice: (list) => `You will no longer get ${list}.`,
  readOnline: 'Read online',
  seeOnline: 'See this part online',
  why: (list, site) => `You get this e-mail because you subscribed to ${list} of ${site}.`,
}

const german: LetterWords = {
  language: 'de',
  confirmSubject: (list) => `Anmeldung bestätigen: ${list}`,
  confirmAsk: (list, site) => `Mit dieser Adresse wurde ${list} von ${site} bestellt.`,
  confirm: 'Anmeldung bestätigen',
  confirmOtherwise: 'Falls Sie das nicht waren, ignorieren Sie diese E-Mail. Sie erhalten keine weitere.',
  confirmed: 'Anmeldung bestätigt',
  confirmedAdvice: (list) => `Sie erhalten ${list} per E-Mail. Jede E-Mail enthält einen Link zum Abmelden.`,
  unsubscribe: 'Abmelden',
  unsubscribeAsk: (list) => `Von ${list} abmelden?`,
  unsubscribed: 'Abgemeldet',
  unsubscribedAdvice: (list) => `Sie erhalten ${list} nicht mehr.`,
  readOnline: 'Online lesen',
  seeOnline: 'Diesen Teil online ansehen',
  why: (list, site) => `Sie erhalten diese E-Mail, weil Sie ${list} von ${site} bestellt haben.`,
}

const french: LetterWords = {
  language: 'fr',
  confirmSubject: (list) => `Confirmez votre inscription : ${list}`,
  confirmAsk: (list, site) => `Cette adresse a été saisie pour recevoir ${list} de ${site}.`,
  confirm: 'Confirmer l’inscription',
  confirmOtherwise: 'Si ce n’était pas vous, ignorez cet e-mail. Vous n’en recevrez pas d’autre.',
  confirmed: 'Inscription confirmée',
  confirmedAdvice: (list) =>
    `Vous recevrez ${list} par e-mail. Chaque e-mail contient un lien de désinscription.`,
  unsubscribe: 'Se désinscrire',
  unsubscribeAsk: (list) => `Se désinscrire de ${list} ?`,
  unsubscribed: 'Désinscription effectuée',
  unsubscribedAdvice: (list) => `Vous ne recevrez plus ${list}.`,
  readOnline: 'Lire en ligne',
  seeOnline: 'Voir cette partie en ligne',
  why: (list, site) => `Vous recevez cet e-mail car vous êtes inscrit à ${list} de ${site}.`,
}

const spanish: LetterWords = {
  language: 'es',
  confirmSubject: (list) => `Confirme su suscripción: ${list}`,
  confirmAsk: (list, site) => `Se introdujo esta dirección para recibir ${list} de ${site}.`,
  confirm: 'Confirmar suscripción',
  confirmOtherwise: 'Si no fue usted, ignore este correo. No recibirá otro.',
  confirmed: 'Suscripción confirmada',
  confirmedAdvice: (list) =>
    `Recibirá ${list} por correo. Cada correo tiene un enlace para cancelar la suscripción.`,
  unsubscribe: 'Cancelar suscripción',
  unsubscribeAsk: (list) => `¿Cancelar la suscripción a ${list}?`,
  unsubscribed: 'Suscripción cancelada',
  unsubscribedAdvice: (list) => `Ya no recibirá ${list}.`,
  readOnline: 'Leer en línea',
  seeOnline: 'Ver esta parte en línea',
  why: (list, site) => `Recibe este correo porque se suscribió a ${list} de ${site}.`,
}

const italian: LetterWords = {
  language: 'it',
  confirmSubject: (list) => `Conferma l’iscrizione: ${list}`,
  confirmAsk: (list, site) => `Questo indirizzo è stato inserito per ricevere ${list} di ${site}.`,
  confirm: 'Conferma iscrizione',
  confirmOtherwise: 'Se non è stato lei, ignori questa e-mail. Non ne riceverà altre.',
  confirmed: 'Iscrizione confermata',
  confirmedAdvice: (list) => `Riceverà ${list} via e-mail. Ogni e-mail contiene un link per annullare.`,
  unsubscribe: 'Annulla iscrizione',
  unsubscribeAsk: (list) => `Annullare l’iscrizione a ${list}?`,
  unsubscribed: 'Iscrizione annullata',
  unsubscribedAdvice: (list) => `Non riceverà più ${list}.`,
  readOnline: 'Leggi online',
  seeOnline: 'Vedi questa parte online',
  why: (list, site) => `Riceve questa e-mail perché è iscritto a ${list} di ${site}.`,
}

const dutch: LetterWords = {
  language: 'nl',
  confirmSubject: (list) => `Bevestig uw inschrijving: ${list}`,
  confirmAsk: (list, site) => `Dit adres is ingevuld om ${list} van ${site} te ontvangen.`,
  confirm: 'Inschrijving bevestigen',
  confirmOtherwise: 'Was u dit niet? Negeer dan deze e-mail. U krijgt er geen meer.',
  confirmed: 'Inschrijving bevestigd',
  confirmedAdvice: (list) =>
    `U ontvangt ${list} per e-mail. Elke e-mail heeft een link om u uit te schrijven.`,
  unsubscribe: 'Uitschrijven',
  unsubscribeAsk: (list) => `Uitschrijven voor ${list}?`,
  unsubscribed: 'Uitgeschreven',
  unsubscribedAdvice: (list) => `U ontvangt ${list} niet meer.`,
  readOnline: 'Online lezen',
  seeOnline: 'Dit deel online bekijken',
  why: (list, site) => `U ontvangt deze e-mail omdat u zich hebt ingeschreven voor ${list} van ${site}.`,
}

const portuguese: LetterWords = {
  language: 'pt',
  confirmSubject: (list) => `Confirme a sua subscrição: ${list}`,
  confirmAsk: (list, site) => `Este endereço foi indicado para receber ${list} de ${site}.`,
  confirm: 'Confirmar subscrição',
  confirmOtherwise: 'Se não foi você, ignore este e-mail. Não receberá outro.',
  confirmed: 'Subscrição confirmada',
  confirmedAdvice: (list) => `Receberá ${list} por e-mail. Cada e-mail tem uma ligação para cancelar.`,
  unsubscribe: 'Cancelar subscrição',
  unsubscribeAsk: (list) => `Cancelar a subscrição de ${list}?`,
  unsubscribed: 'Subscrição cancelada',
  unsubscribedAdvice: (list) => `Não receberá mais ${list}.`,
  readOnline: 'Ler online',
  seeOnline: 'Ver esta parte online',
  why: (list, site) => `Recebe este e-mail porque subscreveu ${list} de ${site}.`,
}

const polish: LetterWords = {
  language: 'pl',
  confirmSubject: (list) => `Potwierdź subskrypcję: ${list}`,
  confirmAsk: (list, site) => `Podano ten adres, aby otrzymywać ${list} (${site}).`,
  confirm: 'Potwierdź subskrypcję',
  confirmOtherwise: 'Jeśli to pomyłka, zignoruj tę wiadomość. Nie otrzymasz kolejnej.',
  confirmed: 'Subskrypcja potwierdzona',
  confirmedAdvice: (list) =>
    `Będziesz otrzymywać ${list} e-mailem. Każda wiadomość zawiera link do rezygnacji.`,
  unsubscribe: 'Zrezygnuj z subskrypcji',
  unsubscribeAsk: (list) => `Zrezygnować z subskrypcji ${list}?`,
  unsubscribed: 'Subskrypcja zakończona',
  unsubscribedAdvice: (list) => `Nie będziesz już otrzymywać ${list}.`,
  readOnline: 'Czytaj online',
  seeOnline: 'Zobacz tę część online',
  why: (list, site) => `Otrzymujesz tę wiadomość, bo subskrybujesz ${list} (${site}).`,
}

const arabic: LetterWords = {
  language: 'ar',
  confirmSubject: (list) => `أكّد اشتراكك في ${list}`,
  confirmAsk: (list, site) => `أُدخل هذا العنوان للاشتراك في ${list} من ${site}.`,
  confirm: 'تأكيد الاشتراك',
  confirmOtherwise: 'إذا لم تُدخله أنت، فتجاهل هذه الرسالة. لن تصلك رسالة أخرى.',
  confirmed: 'تم تأكيد الاشتراك',
  confirmedAdvice: (list) => `ستصلك ${list} بالبريد الإلكتروني. في كل رسالة رابط لإلغاء الاشتراك.`,
  unsubscribe: 'إلغاء الاشتراك',
  unsubscribeAsk: (list) => `هل تريد إلغاء الاشتراك في ${list}؟`,
  unsubscribed: 'تم إلغاء الاشتراك',
  unsubscribedAdvice: (list) => `لن تصلك ${list} بعد الآن.`,
  readOnline: 'اقرأ على الموقع',
  seeOnline: 'شاهد هذا الجزء على الموقع',
  why: (list, site) => `تصلك هذه الرسالة لأنك مشترك في ${list} من ${site}.`,
}

const hebrew: LetterWords = {
  language: 'he',
  confirmSubject: (list) => `אישור ההרשמה אל ${list}`,
  confirmAsk: (list, site) => `הכתובת הזו הוזנה כדי להירשם אל ${list} של ${site}.`,
  confirm: 'אישור ההרשמה',
  confirmOtherwise: 'אם לא הזנת אותה, אפשר להתעלם מההודעה. לא תישלח הודעה נוספת.',
  confirmed: 'ההרשמה אושרה',
  confirmedAdvice: (list) => `${list} יישלח אליך בדוא״ל. בכל הודעה יש קישור לביטול ההרשמה.`,
  unsubscribe: 'ביטול ההרשמה',
  unsubscribeAsk: (list) => `לבטל את ההרשמה אל ${list}?`,
  unsubscribed: 'ההרשמה בוטלה',
  unsubscribedAdvice: (list) => `${list} לא יישלח אליך עוד.`,
  readOnline: 'קריאה באתר',
  seeOnline: 'צפייה בחלק הזה באתר',
  why: (list, site) => `ההודעה נשלחה אליך כי נרשמת אל ${list} של ${site}.`,
}

const japanese: LetterWords = {
  language: 'ja',
  confirmSubject: (list) => `${list} の購読を確認してください`,
  confirmAsk: (list, site) => `${site} の ${list} を購読するために、このアドレスが入力されました。`,
  confirm: '購読を確認する',
  confirmOtherwise: 'お心当たりがない場合は、このメールを無視してください。今後メールは届きません。',
  confirmed: '購読を確認しました',
  confirmedAdvice: (list) => `${list} をメールでお届けします。どのメールにも配信停止のリンクがあります。`,
  unsubscribe: '配信を停止する',
  unsubscribeAsk: (list) => `${list} の配信を停止しますか？`,
  unsubscribed: '配信を停止しました',
  unsubscribedAdvice: (list) => `今後 ${list} は届きません。`,
  readOnline: 'ウェブで読む',
  seeOnline: 'この部分をウェブで見る',
  why: (list, site) => `${site} の ${list} を購読されているため、このメールをお送りしています。`,
}

const chinese: LetterWords = {
  language: 'zh',
  confirmSubject: (list) => `请确认订阅 ${list}`,
  confirmAsk: (list, site) => `有人输入了此地址，以订阅 ${site} 的 ${list}。`,
  confirm: '确认订阅',
  confirmOtherwise: '如果不是您本人操作，请忽略此邮件。您不会再收到邮件。',
  confirmed: '订阅已确认',
  confirmedAdvice: (list) => `您将通过电子邮件收到 ${list}。每封邮件都有退订链接。`,
  unsubscribe: '退订',
  unsubscribeAsk: (list) => `要退订 ${list} 吗？`,
  unsubscribed: '已退订',
  unsubscribedAdvice: (list) => `您将不再收到 ${list}。`,
  readOnline: '在线阅读',
  seeOnline: '在线查看此部分',
  why: (list, site) => `您收到此邮件，是因为您订阅了 ${site} 的 ${list}。`,
}

const languages = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  nl: dutch,
  pt: portuguese,
  pl: polish,
  ar: arabic,
  he: hebrew,
  ja: japanese,
  zh: chinese,
} as const satisfies Record<string, LetterWords>

const primaryLanguage = (language: string): string => language.toLowerCase().split('-', 1)[0] ?? ''

const isKnown = (language: string): language is keyof typeof languages => Object.hasOwn(languages, language)

export function letterWords(language: string): LetterWords {
  const primary = primaryLanguage(language)
  return isKnown(primary) ? languages[primary] : english
}

const rightToLeft = new Set(['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi'])

export const letterDirection = (language: string): 'ltr' | 'rtl' =>
  rightToLeft.has(primaryLanguage(language)) ? 'rtl' : 'ltr'

/** The first language of an `Accept-Language` header that there are texts for. */
export function preferredLanguage(header: string | undefined): string | undefined {
  const ranges = (header ?? '').split(',', 20).map((range) => {
    const [name = '', quality = ''] = range.trim().split(';')
    const weight = /^\s*q=([\d.]+)$/.exec(quality)?.[1]
    return { language: primaryLanguage(name), weight: weight === undefined ? 1 : Number(weight) }
  })
  const known = ranges.filter(({ language, weight }) => isKnown(language) && weight > 0)
  return known.toSorted((one, other) => other.weight - one.weight)[0]?.language
}
