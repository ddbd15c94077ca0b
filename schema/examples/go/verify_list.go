//go:build ignore

// Verifies addresses from standard input, one a line, and prints each result as it is known:
// go run verify_list.go < list.txt
// RCPT_URL and RCPT_API_KEY say where, and for whom.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

const perRequest = 500

// An Element is a line of the answer: a result with the index of its address, or the last line with the bill.
type Element struct {
	Index  int     `json:"index"`
	Email  string  `json:"email"`
	Status string  `json:"status"`
	Score  int     `json:"score"`
	Reason *string `json:"reason"`

	Done     bool `json:"done"`
	Charged  int  `json:"charged"`
	Returned int  `json:"returned"`
}

var client = http.Client{Timeout: 100 * time.Second}

// verify calls onResult in the order in which results are known.
func verify(emails []string, onResult func(Element)) error {
	body, err := json.Marshal(map[string][]string{"emails": emails})
	if err != nil {
		return err
	}
	request, err := http.NewRequest(http.MethodPost, os.Getenv("RCPT_URL")+"/api/v1/verify", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("RCPT_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/x-ndjson")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(response.Body)
		return fmt.Errorf("%s: %s", response.Status, text)
	}
	lines := json.NewDecoder(response.Body)
	for {
		var element Element
		if err := lines.Decode(&element); errors.Is(err, io.EOF) {
			// What the service had not written costs nothing: ask again for the addresses that are missing.
			return errors.New("the answer was cut off")
		} else if err != nil {
			return err
		}
		if element.Done {
			log.Printf("charged %d, returned %d", element.Charged, element.Returned)
			return nil
		}
		onResult(element)
	}
}

func show(result Element) {
	reason := "-"
	if result.Reason != nil {
		reason = *result.Reason
	}
	fmt.Println(result.Email, result.Status, result.Score, reason)
}

func main() {
	var emails []string
	flush := func() {
		if len(emails) == 0 {
			return
		}
		if err := verify(emails, show); err != nil {
			log.Fatal(err)
		}
		emails = nil
	}
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		emails = append(emails, strings.TrimSpace(input.Text()))
		if len(emails) == perRequest {
			flush()
		}
	}
	if err := input.Err(); err != nil {
		log.Fatal(err)
	}
	flush()
}
