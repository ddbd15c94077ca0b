import type { WordTable } from './word-table.ts';

/**
 * French, Spanish, Portuguese and Italian, without accents as most servers send them. Shared spellings are listed once.
 */
export const ROMANCE = {
  DROP: `che hai raggiungere cercato_di avez essaye_de essaye intentas acceder a_la_que a_la a_quien voce la le les un une de du des est sont ete etre avec ce cet cette ces vous pour
    dans sur aux au el los las del uno una fue ha sido han al este esta esa ese que se para en lo ya os da dos foi um uma estao ao em nosso nossa il gli dei della dello delle degli di
    stato stata stati nel nella questa per tale alla all nell dell il_y_a hay con_ese com_este con_questo nome nombre nom de_ce risulta fu por_falta_de veuillez por_favor
    s_il_vous_plait per_favore piu sul sulla na`,
  BOX: `votre_correspondant votre_destinataire su_destinatario seu_destinatario vostro_destinatario tuo_destinatario persona cette_personne utilisateur destinataire compte boite boites boite_aux_lettres boite_de_reception boite_mail boite_email boite_aux_lettres_electronique messagerie
    adresse_email adresse_mail adresse_electronique adresse_destinataire adresse_du_destinataire adresse_e_mail identifiant abonne correspondant usuario destinatario cuenta
    cuenta_de_correo buzon buzon_de_correo casilla casilla_de_correo direccion direccion_de_correo receptor utilizador conta contas conta_de_email conta_de_e_mail
    conta_de_correio caixa_postal caixa_de_correio caixa_de_entrada caixa endereco endereco_de_email endereco_de_e_mail correio_eletronico utenti caselle casella_di_posta
    casella_postale casella_email casella_mail indirizzi indirizzo_email indirizzo_e_mail indirizzo_mail indirizzo_di_posta ricevente pessoa collaborateur empleada funcionario
    dipendente casella_elettronica buzon_electronico direccion_electronica correo_electronico correo_electronico_destino nome_utente nombre_de_usuario nom_d_utilisateur adresses salarie employe colaboradora collaboratore collaboratrice`,
  EMAIL: `posta_elettronica courriel correo correio`,
  MSG: `mensaje mensagens messaggi posta courriers`,
  SENDER: `votre_adresse votre_adresse_e_mail votre_adresse_email votre_adresse_mail votre_compte su_direccion_de_correo su_cuenta_de_correo seu_endereco seu_e_mail tuo_indirizzo
    vostro_indirizzo tu_direccion tu_correo d_inconnus de_desconocidos de_desconhecidos da_sconosciuti expediteur emetteur adresse_expediteur adresse_de_l_expediteur remitente
    remetente mittenti domaine_expediteur domaine_de_l_expediteur dominio_del_remitente dominio_do_remetente dominio_del_mittente`,
  yours: `votre vos vostra tuo tua tu`,
  theirs: `su sus seu sua`,
  CLIENT: `votre_fournisseur votre_reseau seu_provedor su_proveedor vostro_provider tuo_server il_tuo_server tu_servidor connexion votre_serveur votre_domaine conexion
    su_servidor servidor_remitente conexao conexoes seu_servidor connessioni vostro_server votre_hote serveur_emetteur`,
  IP: `adresse_ip adresse_ip_source direccion_ip endereco_ip indirizzo_ip su_ip votre_ip votre_adresse_ip seu_ip vostro_ip tuo_ip su_direccion_ip ip_source ip_origen ip_de_origen
    adresses_ip direcciones_ip`,
  HOST: `serveur servidor hote`,
  DOMAIN: `domaine domaines domini`,
  SERVICE: `servicio servico servizio`,
  LIST: `liste_noire lista_negra lista_nera listes_noires listas_negras`,
  SPAM: `pourriel indesirable courrier_indesirable no_deseado correo_no_deseado indesejado abus abuso`,
  POLICY: `politique politica politiche regles_de_securite`,
  AUTH: `authentifie autenticacion autenticarse autenticado autenticacao autenticar autenticazione autenticato identification`,
  TLS: `chiffrement cifrado criptografia crittografia`,
  MANY: `trop_de trop_d demasiadas muitos muitas troppe`,
  GREY: `liste_grise lista_gris lista_cinza lista_cinzenta lista_grigia`,
  RATE: `limite_de_debit limite_de_velocidad limite_de_velocidade trop_vite demasiado_rapido frecuencia frequencia frequenza tasa excesso exces`,
  RELAY: `relais relayage retransmission reenvio retransmision relai retransmissao encaminhamento inoltro reinoltro`,
  REPUTE: `reputacion reputacao reputazione`,
  RDNS: `dns_inverse dns_inverso inverso_dns resolution_inverse resolucion_inversa reverso dns_reverso`,
  'not BOX': `nadie_con nadie_en nessuno_con nessuno_a ninguem_com personne_avec`,
  not: `nadie pas aucun jamais ne_plus nunca ningun nao nenhum non nessun mai plus sans sin sem senza ja_nao`,
  exist: `pertenecen pertencem appartiene utilise utiliza utilizado utilizzata encuentra encontramos trouve connu valable actif disponible joignable reconnu encontrada encontra conocida activa registrada conhecida ativo ativa disponivel localizada cadastrada esiste esistono esistente trovata conosciuta
    attiva disponibile riconosciuto vigente en_uso em_uso in_uso enregistre repertorie registrato iscritto inscrito trabaja travaille labora lavora trabalha forma_parte`,
  gone: `clos archivee archivado arquivada archiviata ne_travaille_plus ne_fait_plus_partie ya_no_esta ya_no_pertenece nao_pertence_mais non_fa_piu_parte estinta soppressa fermes desligada jubilado pensionato retraite
    licenciado ex_dipendente inconnu inexistant desactive suspendue supprime ferme inactif resilie cloture desconocida desactivada suspendida eliminada cerrada expirada caducado
    inactiva deshabilitada inhabilitada cancelado baja desconhecida desativada suspensa excluida encerrada inativa desabilitada removida sconosciuti disabilitata disattivata
    sospesa cancellata chiusa scaduta inattiva cessata rimossa inesistente introuvable perime a_quitte_l a_quitte ya_no_trabaja trabaja_aqui ya_no_existe nao_trabalha_mais non_lavora_piu
    dada_de_baja dado_de_baja rescindida dismessa eliminata bloqueado_por_inactividad decede deceduto fallecido falecido aposentado radie revoque demitido descontinuada ha_lasciato fechado expirou encerrou dejo_la_empresa ha_dejado_la`,
  away: `indisponible injoignable indisponivel irraggiungibile`,
  bad: `erroneo errado incorreto non_valido non_valida non_valide errata mauvais mal_formee malformee mal_formado malformada malformata`,
  refused: `refusees rejete interdit rechazada rechazo denegada prohibida rejeitada recusada negada proibido rifiutata respinta negato vietato`,
  blocked: `bloque bloqueada bloqueio bloccati banni verrouille`,
  allowed: `autorise permis permitida autorizada consentita autorizzata`,
  accept: `acceptons aceptamos aceitamos accettiamo recevoir aceptada acepta aceito accettata ricevere recibir receber accetta aceita_mais recebe_mais riceve recibe recoit`,
  listed: `liste listada elencato`,
  failed: `erreur echec echoue fallo falla fallido falhou falha erro fallita`,
  CHECK: `verificacion verificacao verifica`,
  exceeded: `superacion depassement_de excedeu_se supero ultrapassa depasse depassement excedida excedio superada sobrepasado ultrapassou ultrapassado excedeu superata atteint
    alcanzado atingido atingiu raggiunto`,
  full: `sin_espacio_libre colma colmo lleva_llena plein sature lleno llena cheia cheio lotado piena pieno epuise agotada esgotada esaurita superlotada remplie saturado desbordado`,
  quota: `cuota cota cotas quotas_disque espace_alloue`,
  storage: `espacio espaco spazio almacenamiento armazenamento capacite capacidad stockage de_place`,
  disk: `disque disco espace_disque espacio_en_disco espaco_em_disco spazio_disco spazio_su_disco`,
  limit: `tope`,
  enough: `suffisant suffisamment suficiente assez`,
  insufficient: `insuffisant insuficiente`,
  required: `requis obligatoire necessaire requerido necesario obrigatoria necessario richiesto obbligatoria`,
  temporarily: `temporairement temporaire temporalmente temporariamente temporaneamente temporal temporaria temporaneo pour_le_moment pour_l_instant por_el_momento de_momento en_este_momento no_momento neste_momento al_momento per_il_momento in_questo_momento momentanement momentaneamente actuellement plus_tard mas_tarde mais_tarde piu_tardi provvisoriamente`,
  access: `acces acesso accesso`,
  size: `taille tamano tamanho dimensioni`,
  here: `aqui ici qui`,
  only: `seulement uniquement solamente unicamente somente apenas soltanto`,
  COMMAND: `verbe verbo ordre commande commandes instructions orden comenzi comanda instruccion istruzione`,
  sending: `emission saida uscita envoi envois envoyes sortants envio envios enviados salientes expedition invio inviati trimitere`,
  'please CHECK': `verifiez verifier controlez verifiquen revise compruebe confira verificare verificate verifichi controllare controllate controlli controlla`,
  changed: `a_change cambiado ha_cambiado cambio_de mudou alterado cambiato`,
  'not accept': `nao_aceita_mais nao_recebe_mais`,
  if: `si_cree si_crees se_ritiene si_le si_la si_l si_el si_los si_su si_usted si_votre si_vous si_cette si_ce se_o se_a se_il se_l se_la se_voce se_lei se_questo se_questa se_este se_esta`,
  hosted: `heberge alojado hospedado ospitato`,
} as const satisfies WordTable;
