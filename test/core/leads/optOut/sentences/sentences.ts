/** The messages of all languages. */
import { ar } from "./ar.ts"
import { de } from "./de.ts"
import { en } from "./en.ts"
import { es } from "./es.ts"
import { fr } from "./fr.ts"
import { it } from "./it.ts"
import { ja } from "./ja.ts"
import type { Sentences } from "./LanguageSentences.ts"
import { nl } from "./nl.ts"
import { pl } from "./pl.ts"
import { pt } from "./pt.ts"
import { ru } from "./ru.ts"
import { zh } from "./zh.ts"

export const sentences: Readonly<Record<string, Sentences>> = { ar, de, en, es, fr, it, ja, nl, pl, pt, ru, zh }
